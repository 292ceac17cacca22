/** Names of places and the codes that data often has instead of them. */
const states = `alabama=AL alaska=AK arizona=AZ arkansas=AR california=CA colorado=CO connecticut=CT delaware=DE florida=FL georgia=GA hawaii=HI
idaho=ID illinois=IL indiana=IN iowa=IA kansas=KS kentucky=KY louisiana=LA maine=ME maryland=MD massachusetts=MA michigan=MI minnesota=MN
mississippi=MS missouri=MO montana=MT nebraska=NE nevada=NV new_hampshire=NH new_jersey=NJ new_mexico=NM new_york=NY north_carolina=NC
north_dakota=ND ohio=OH oklahoma=OK oregon=OR pennsylvania=PA rhode_island=RI south_carolina=SC south_dakota=SD tennessee=TN texas=TX utah=UT
vermont=VT virginia=VA washington=WA west_virginia=WV wisconsin=WI wyoming=WY puerto_rico=PR district_of_columbia=DC`

const countries = `united_states=US,USA usa=US,united_states america=US,USA,united_states uk=GB,united_kingdom united_kingdom=GB,UK britain=GB,UK,united_kingdom
great_britain=GB,UK germany=DE france=FR spain=ES italy=IT netherlands=NL holland=NL,netherlands belgium=BE austria=AT switzerland=CH poland=PL sweden=SE norway=NO
denmark=DK finland=FI ireland=IE portugal=PT greece=GR canada=CA mexico=MX brazil=BR argentina=AR chile=CL australia=AU new_zealand=NZ japan=JP china=CN
india=IN south_korea=KR turkey=TR south_africa=ZA egypt=EG israel=IL singapore=SG`

const entries = (text: string) =>
  text.split(/\s+/).map(entry => {
    const [name = '', others = ''] = entry.split('=')
    return [name.replaceAll('_', ' '), others.split(',').map(each => each.replaceAll('_', ' ').toLowerCase())] as const
  })

/** Of which kind a code is tells which dimensions it can be a value of: `CA` is California of states and Canada of countries. */
export interface PlaceCodes {
  readonly state: readonly string[]
  readonly country: readonly string[]
}

const stateCodes = new Map(entries(states))
const countryCodes = new Map(entries(countries))

/** Codes of a place by its name in lower case. */
export const codesOfPlace = (name: string): PlaceCodes => ({
  state: stateCodes.get(name) ?? [],
  country: countryCodes.get(name) ?? [],
})
