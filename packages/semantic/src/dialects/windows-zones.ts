/**
 * Time zones by the names of Windows, each with its names in the IANA database.
 *
 * Source: Unicode CLDR 48.2, supplemental/windowsZones and bcp47/timezone (https://github.com/unicode-org/cldr-json).
 */
const table = `
AUS Central Standard Time: Australia/Darwin Australia/North
AUS Eastern Standard Time: Australia/Sydney Australia/ACT Australia/Canberra Australia/NSW Australia/Melbourne
    Australia/Victoria
Afghanistan Standard Time: Asia/Kabul
Alaskan Standard Time: America/Anchorage US/Alaska America/Juneau America/Metlakatla America/Nome America/Sitka
    America/Yakutat
Aleutian Standard Time: America/Adak America/Atka US/Aleutian
Altai Standard Time: Asia/Barnaul
Arab Standard Time: Asia/Riyadh Asia/Bahrain Asia/Kuwait Asia/Qatar Asia/Aden
Arabian Standard Time: Asia/Dubai Asia/Muscat Etc/GMT-4
Arabic Standard Time: Asia/Baghdad
Argentina Standard Time: America/Buenos_Aires America/Argentina/Buenos_Aires America/Argentina/La_Rioja
    America/Argentina/Rio_Gallegos America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis
    America/Argentina/Tucuman America/Argentina/Ushuaia America/Catamarca America/Argentina/Catamarca
    America/Argentina/ComodRivadavia America/Cordoba America/Argentina/Cordoba America/Rosario America/Jujuy
    America/Argentina/Jujuy America/Mendoza America/Argentina/Mendoza
Astrakhan Standard Time: Europe/Astrakhan Europe/Ulyanovsk
Atlantic Standard Time: America/Halifax Canada/Atlantic Atlantic/Bermuda America/Glace_Bay America/Goose_Bay
    America/Moncton America/Thule
Aus Central W. Standard Time: Australia/Eucla
Azerbaijan Standard Time: Asia/Baku
Azores Standard Time: Atlantic/Azores America/Scoresbysund
Bahia Standard Time: America/Bahia
Bangladesh Standard Time: Asia/Dhaka Asia/Dacca Asia/Thimphu Asia/Thimbu
Belarus Standard Time: Europe/Minsk
Bougainville Standard Time: Pacific/Bougainville
Canada Central Standard Time: America/Regina Canada/East-Saskatchewan Canada/Saskatchewan America/Swift_Current
Cape Verde Standard Time: Atlantic/Cape_Verde Etc/GMT+1
Caucasus Standard Time: Asia/Yerevan
Cen. Australia Standard Time: Australia/Adelaide Australia/South Australia/Broken_Hill Australia/Yancowinna
Central America Standard Time: America/Guatemala America/Belize America/Costa_Rica Pacific/Galapagos
    America/Tegucigalpa America/Managua America/El_Salvador Etc/GMT+6
Central Asia Standard Time: Asia/Bishkek Antarctica/Vostok Asia/Urumqi Asia/Kashgar Indian/Chagos Etc/GMT-6
Central Brazilian Standard Time: America/Cuiaba America/Campo_Grande
Central Europe Standard Time: Europe/Budapest Europe/Tirane Europe/Prague Europe/Podgorica Europe/Belgrade
    Europe/Ljubljana Europe/Bratislava
Central European Standard Time: Europe/Warsaw Poland Europe/Sarajevo Europe/Zagreb Europe/Skopje
Central Pacific Standard Time: Pacific/Guadalcanal Antarctica/Casey Pacific/Ponape Pacific/Pohnpei Pacific/Kosrae
    Pacific/Noumea Pacific/Efate Etc/GMT-11
Central Standard Time: America/Chicago US/Central CST6CDT America/Winnipeg Canada/Central America/Rainy_River
    America/Rankin_Inlet America/Resolute America/Matamoros America/Ojinaga America/Indiana/Knox America/Knox_IN
    US/Indiana-Starke America/Indiana/Tell_City America/Menominee America/North_Dakota/Beulah
    America/North_Dakota/Center America/North_Dakota/New_Salem
Central Standard Time (Mexico): America/Mexico_City Mexico/General America/Bahia_Banderas America/Merida
    America/Monterrey America/Chihuahua 
Chatham Islands Standard Time: Pacific/Chatham NZ-CHAT
China Standard Time: Asia/Shanghai Asia/Chongqing Asia/Chungking Asia/Harbin PRC Asia/Hong_Kong Hongkong Asia/Macau
    Asia/Macao
Cuba Standard Time: America/Havana Cuba
Dateline Standard Time: Etc/GMT+12
E. Africa Standard Time: Africa/Nairobi Antarctica/Syowa Africa/Djibouti Africa/Asmera Africa/Asmara
    Africa/Addis_Ababa Indian/Comoro Indian/Antananarivo Africa/Mogadishu Africa/Dar_es_Salaam Africa/Kampala
    Indian/Mayotte Etc/GMT-3
E. Australia Standard Time: Australia/Brisbane Australia/Queensland Australia/Lindeman
E. Europe Standard Time: Europe/Chisinau Europe/Tiraspol
E. South America Standard Time: America/Sao_Paulo Brazil/East
Easter Island Standard Time: Pacific/Easter Chile/EasterIsland
Eastern Standard Time: America/New_York US/Eastern EST5EDT America/Nassau America/Toronto America/Montreal
    Canada/Eastern America/Nipigon America/Thunder_Bay America/Iqaluit America/Pangnirtung America/Detroit US/Michigan
    America/Indiana/Petersburg America/Indiana/Vincennes America/Indiana/Winamac America/Kentucky/Monticello
    America/Louisville America/Kentucky/Louisville
Eastern Standard Time (Mexico): America/Cancun
Egypt Standard Time: Africa/Cairo Egypt
Ekaterinburg Standard Time: Asia/Yekaterinburg
FLE Standard Time: Europe/Kiev Europe/Kyiv Europe/Zaporozhye Europe/Uzhgorod Europe/Mariehamn Europe/Sofia
    Europe/Tallinn Europe/Helsinki Europe/Vilnius Europe/Riga
Fiji Standard Time: Pacific/Fiji
GMT Standard Time: Europe/London Europe/Belfast GB GB-Eire Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe
    Europe/Guernsey Europe/Dublin Eire Europe/Isle_of_Man Europe/Jersey Europe/Lisbon Portugal WET Atlantic/Madeira
GTB Standard Time: Europe/Bucharest Asia/Nicosia Europe/Nicosia Asia/Famagusta Europe/Athens EET
Georgian Standard Time: Asia/Tbilisi
Greenland Standard Time: America/Godthab America/Nuuk
Greenwich Standard Time: Atlantic/Reykjavik Iceland Africa/Ouagadougou Africa/Abidjan Africa/Accra
    America/Danmarkshavn Africa/Banjul Africa/Conakry Africa/Bissau Africa/Monrovia Africa/Bamako Africa/Timbuktu
    Africa/Nouakchott Atlantic/St_Helena Africa/Freetown Africa/Dakar Africa/Lome
Haiti Standard Time: America/Port-au-Prince
Hawaiian Standard Time: Pacific/Honolulu US/Hawaii Pacific/Johnston HST Pacific/Rarotonga Pacific/Tahiti Etc/GMT+10
India Standard Time: Asia/Calcutta Asia/Kolkata
Iran Standard Time: Asia/Tehran Iran
Israel Standard Time: Asia/Jerusalem Asia/Tel_Aviv Israel
Jordan Standard Time: Asia/Amman
Kaliningrad Standard Time: Europe/Kaliningrad
Korea Standard Time: Asia/Seoul ROK
Libya Standard Time: Africa/Tripoli Libya
Line Islands Standard Time: Pacific/Kiritimati Etc/GMT-14
Lord Howe Standard Time: Australia/Lord_Howe Australia/LHI
Magadan Standard Time: Asia/Magadan
Magallanes Standard Time: America/Punta_Arenas America/Coyhaique
Marquesas Standard Time: Pacific/Marquesas
Mauritius Standard Time: Indian/Mauritius Indian/Reunion Indian/Mahe
Middle East Standard Time: Asia/Beirut
Montevideo Standard Time: America/Montevideo
Morocco Standard Time: Africa/Casablanca Africa/El_Aaiun
Mountain Standard Time: America/Denver America/Shiprock Navajo US/Mountain MST7MDT America/Edmonton Canada/Mountain
    America/Yellowknife America/Cambridge_Bay America/Inuvik America/Ciudad_Juarez America/Boise
Mountain Standard Time (Mexico): America/Mazatlan Mexico/BajaSur
Myanmar Standard Time: Asia/Rangoon Asia/Yangon Indian/Cocos
N. Central Asia Standard Time: Asia/Novosibirsk
Namibia Standard Time: Africa/Windhoek
Nepal Standard Time: Asia/Katmandu Asia/Kathmandu
New Zealand Standard Time: Pacific/Auckland NZ Antarctica/McMurdo Antarctica/South_Pole
Newfoundland Standard Time: America/St_Johns Canada/Newfoundland
Norfolk Standard Time: Pacific/Norfolk
North Asia East Standard Time: Asia/Irkutsk
North Asia Standard Time: Asia/Krasnoyarsk Asia/Novokuznetsk
North Korea Standard Time: Asia/Pyongyang
Omsk Standard Time: Asia/Omsk
Pacific SA Standard Time: America/Santiago Chile/Continental
Pacific Standard Time: America/Los_Angeles US/Pacific US/Pacific-New PST8PDT America/Vancouver Canada/Pacific
Pacific Standard Time (Mexico): America/Tijuana America/Ensenada Mexico/BajaNorte America/Santa_Isabel
Pakistan Standard Time: Asia/Karachi
Paraguay Standard Time: America/Asuncion
Qyzylorda Standard Time: Asia/Qyzylorda
Romance Standard Time: Europe/Paris Europe/Brussels CET MET Europe/Copenhagen Europe/Madrid Africa/Ceuta
Russia Time Zone 10: Asia/Srednekolymsk
Russia Time Zone 11: Asia/Kamchatka Asia/Anadyr
Russia Time Zone 3: Europe/Samara
Russian Standard Time: Europe/Moscow W-SU Europe/Kirov Europe/Simferopol
SA Eastern Standard Time: America/Cayenne Antarctica/Rothera Antarctica/Palmer America/Fortaleza America/Belem
    America/Maceio America/Recife America/Santarem Atlantic/Stanley America/Paramaribo Etc/GMT+3
SA Pacific Standard Time: America/Bogota America/Rio_Branco America/Porto_Acre Brazil/Acre America/Eirunepe
    America/Coral_Harbour America/Atikokan America/Guayaquil America/Jamaica Jamaica America/Cayman America/Panama EST
    America/Lima Etc/GMT+5
SA Western Standard Time: America/La_Paz America/Antigua America/Anguilla America/Aruba America/Barbados
    America/St_Barthelemy America/Kralendijk America/Manaus Brazil/West America/Boa_Vista America/Porto_Velho
    America/Blanc-Sablon America/Curacao America/Dominica America/Santo_Domingo America/Grenada America/Guadeloupe
    America/Guyana America/St_Kitts America/St_Lucia America/Marigot America/Martinique America/Montserrat
    America/Puerto_Rico America/Lower_Princes America/Port_of_Spain America/St_Vincent America/Tortola
    America/St_Thomas America/Virgin Etc/GMT+4
SE Asia Standard Time: Asia/Bangkok Antarctica/Davis Indian/Christmas Asia/Jakarta Asia/Pontianak Asia/Phnom_Penh
    Asia/Vientiane Asia/Saigon Asia/Ho_Chi_Minh Etc/GMT-7
Saint Pierre Standard Time: America/Miquelon
Sakhalin Standard Time: Asia/Sakhalin
Samoa Standard Time: Pacific/Apia
Sao Tome Standard Time: Africa/Sao_Tome
Saratov Standard Time: Europe/Saratov
Singapore Standard Time: Asia/Singapore Singapore Asia/Brunei Asia/Makassar Asia/Ujung_Pandang Asia/Kuala_Lumpur
    Asia/Kuching Asia/Manila Etc/GMT-8
South Africa Standard Time: Africa/Johannesburg Africa/Bujumbura Africa/Gaborone Africa/Lubumbashi Africa/Maseru
    Africa/Blantyre Africa/Maputo Africa/Kigali Africa/Mbabane Africa/Lusaka Africa/Harare Etc/GMT-2
South Sudan Standard Time: Africa/Juba
Sri Lanka Standard Time: Asia/Colombo
Sudan Standard Time: Africa/Khartoum
Syria Standard Time: Asia/Damascus
Taipei Standard Time: Asia/Taipei ROC
Tasmania Standard Time: Australia/Hobart Australia/Tasmania Australia/Currie Antarctica/Macquarie
Tocantins Standard Time: America/Araguaina
Tokyo Standard Time: Asia/Tokyo Japan Asia/Jayapura Pacific/Palau Asia/Dili Etc/GMT-9
Tomsk Standard Time: Asia/Tomsk
Tonga Standard Time: Pacific/Tongatapu
Transbaikal Standard Time: Asia/Chita
Turkey Standard Time: Europe/Istanbul Asia/Istanbul Turkey
Turks And Caicos Standard Time: America/Grand_Turk
US Eastern Standard Time: America/Indianapolis America/Fort_Wayne America/Indiana/Indianapolis US/East-Indiana
    America/Indiana/Marengo America/Indiana/Vevay
US Mountain Standard Time: America/Phoenix US/Arizona MST America/Creston America/Dawson_Creek America/Fort_Nelson
    America/Hermosillo Etc/GMT+7
UTC: Etc/UTC Etc/UCT Etc/Universal Etc/Zulu UCT UTC Universal Zulu Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich
    GMT GMT+0 GMT-0 GMT0 Greenwich
UTC+12: Etc/GMT-12 Pacific/Tarawa Pacific/Majuro Pacific/Kwajalein Kwajalein Pacific/Nauru Pacific/Funafuti
    Pacific/Wake Pacific/Wallis
UTC+13: Etc/GMT-13 Pacific/Enderbury Pacific/Kanton Pacific/Fakaofo
UTC-02: Etc/GMT+2 America/Noronha Brazil/DeNoronha Atlantic/South_Georgia
UTC-08: Etc/GMT+8 Pacific/Pitcairn
UTC-09: Etc/GMT+9 Pacific/Gambier
UTC-11: Etc/GMT+11 Pacific/Pago_Pago Pacific/Samoa US/Samoa Pacific/Niue Pacific/Midway
Ulaanbaatar Standard Time: Asia/Ulaanbaatar Asia/Ulan_Bator Asia/Choibalsan
Venezuela Standard Time: America/Caracas
Vladivostok Standard Time: Asia/Vladivostok Asia/Ust-Nera
Volgograd Standard Time: Europe/Volgograd
W. Australia Standard Time: Australia/Perth Australia/West
W. Central Africa Standard Time: Africa/Lagos Africa/Luanda Africa/Porto-Novo Africa/Kinshasa Africa/Bangui
    Africa/Brazzaville Africa/Douala Africa/Algiers Africa/Libreville Africa/Malabo Africa/Niamey Africa/Ndjamena
    Africa/Tunis Etc/GMT-1
W. Europe Standard Time: Europe/Berlin Europe/Andorra Europe/Vienna Europe/Zurich Europe/Busingen Europe/Gibraltar
    Europe/Rome Europe/Vaduz Europe/Luxembourg Europe/Monaco Europe/Malta Europe/Amsterdam Europe/Oslo
    Europe/Stockholm Arctic/Longyearbyen Atlantic/Jan_Mayen Europe/San_Marino Europe/Vatican
W. Mongolia Standard Time: Asia/Hovd
West Asia Standard Time: Asia/Tashkent Antarctica/Mawson Asia/Oral Asia/Almaty Asia/Aqtau Asia/Aqtobe Asia/Atyrau
    Asia/Qostanay Indian/Maldives Indian/Kerguelen Asia/Dushanbe Asia/Ashgabat Asia/Ashkhabad Asia/Samarkand Etc/GMT-5
West Bank Standard Time: Asia/Hebron Asia/Gaza
West Pacific Standard Time: Pacific/Port_Moresby Antarctica/DumontDUrville Pacific/Truk Pacific/Chuuk Pacific/Yap
    Pacific/Guam Pacific/Saipan Etc/GMT-10
Yakutsk Standard Time: Asia/Yakutsk Asia/Khandyga
Yukon Standard Time: America/Whitehorse Canada/Yukon America/Dawson
`

const names: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .replace(/\n +/g, ' ')
    .split('\n')
    .flatMap(line => {
      const [name = '', zones = ''] = line.split(': ')
      return zones.split(' ').map(zone => [zone.toLowerCase(), name] as const)
    }),
)

/** What Windows, and so SQL Server, calls a time zone of the IANA database; null for the few that it has not. */
export function windowsZone(timezone: string): string | null {
  return names.get(timezone.toLowerCase()) ?? null
}
