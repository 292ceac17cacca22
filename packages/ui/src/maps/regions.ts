/** ISO 3166-1: two letters, three letters and number of the countries on the world map. */
const countries =
  `AFAFG004 ALALB008 DZDZA012 AOAGO024 AQATA010 ARARG032 AMARM051 AUAUS036 ATAUT040 AZAZE031 BSBHS044 BDBGD050 BYBLR112
BEBEL056 BZBLZ084 BJBEN204 BTBTN064 BOBOL068 BABIH070 BWBWA072 BRBRA076 BNBRN096 BGBGR100 BFBFA854 BIBDI108 KHKHM116 CMCMR120 CACAN124
CFCAF140 TDTCD148 CLCHL152 CNCHN156 COCOL170 CGCOG178 CDCOD180 CRCRI188 CICIV384 HRHRV191 CUCUB192 CYCYP196 CZCZE203 DKDNK208 DJDJI262
DODOM214 ECECU218 EGEGY818 SVSLV222 GQGNQ226 ERERI232 EEEST233 ETETH231 FKFLK238 FJFJI242 FIFIN246 FRFRA250 TFATF260 GAGAB266 GMGMB270
GEGEO268 DEDEU276 GHGHA288 GRGRC300 GLGRL304 GTGTM320 GNGIN324 GWGNB624 GYGUY328 HTHTI332 HNHND340 HUHUN348 ISISL352 ININD356 IDIDN360
IRIRN364 IQIRQ368 IEIRL372 ILISR376 ITITA380 JMJAM388 JPJPN392 JOJOR400 KZKAZ398 KEKEN404 KPPRK408 KRKOR410 KWKWT414 KGKGZ417 LALAO418
LVLVA428 LBLBN422 LSLSO426 LRLBR430 LYLBY434 LTLTU440 LULUX442 MKMKD807 MGMDG450 MWMWI454 MYMYS458 MLMLI466 MRMRT478 MXMEX484 MDMDA498
MNMNG496 MEMNE499 MAMAR504 MZMOZ508 MMMMR104 NANAM516 NPNPL524 NLNLD528 NCNCL540 NZNZL554 NINIC558 NENER562 NGNGA566 NONOR578 OMOMN512
PKPAK586 PAPAN591 PGPNG598 PYPRY600 PEPER604 PHPHL608 PLPOL616 PTPRT620 PRPRI630 QAQAT634 ROROU642 RURUS643 RWRWA646 SASAU682 SNSEN686
RSSRB688 SLSLE694 SKSVK703 SISVN705 SBSLB090 SOSOM706 ZAZAF710 SSSSD728 ESESP724 LKLKA144 SDSDN729 SRSUR740 SZSWZ748 SESWE752 CHCHE756
SYSYR760 TWTWN158 TJTJK762 TZTZA834 THTHA764 TLTLS626 TGTGO768 TTTTO780 TNTUN788 TRTUR792 TMTKM795 UGUGA800 UAUKR804 AEARE784 GBGBR826
USUSA840 UYURY858 UZUZB860 VUVUT548 VEVEN862 VNVNM704 EHESH732 YEYEM887 ZMZMB894 ZWZWE716 PSPSE275`.split(/\s+/)

/** Names that people write and no list of names has. */
const alsoCalled: Readonly<Record<string, string>> = {
  'united states of america': 'US',
  'u s a': 'US',
  'u s': 'US',
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  'russian federation': 'RU',
  'republic of korea': 'KR',
  'korea south': 'KR',
  'korea north': 'KP',
  'czech republic': 'CZ',
  'ivory coast': 'CI',
  burma: 'MM',
  'viet nam': 'VN',
  'democratic republic of the congo': 'CD',
  'republic of the congo': 'CG',
  macedonia: 'MK',
  swaziland: 'SZ',
  palestine: 'PS',
  turkey: 'TR',
  holland: 'NL',
}

/** Code, FIPS number and name of the states of the US and what belongs to them. */
const states =
  `AL01Alabama,AK02Alaska,AZ04Arizona,AR05Arkansas,CA06California,CO08Colorado,CT09Connecticut,DE10Delaware,
DC11District of Columbia,FL12Florida,GA13Georgia,HI15Hawaii,ID16Idaho,IL17Illinois,IN18Indiana,IA19Iowa,KS20Kansas,KY21Kentucky,
LA22Louisiana,ME23Maine,MD24Maryland,MA25Massachusetts,MI26Michigan,MN27Minnesota,MS28Mississippi,MO29Missouri,MT30Montana,NE31Nebraska,
NV32Nevada,NH33New Hampshire,NJ34New Jersey,NM35New Mexico,NY36New York,NC37North Carolina,ND38North Dakota,OH39Ohio,OK40Oklahoma,
OR41Oregon,PA42Pennsylvania,RI44Rhode Island,SC45South Carolina,SD46South Dakota,TN47Tennessee,TX48Texas,UT49Utah,VT50Vermont,VA51Virginia,
WA53Washington,WV54West Virginia,WI55Wisconsin,WY56Wyoming,PR72Puerto Rico,VI78Virgin Islands`.split(/,\s*/)

/** Number of a region by what it may be called, in the form of `plainName`. */
export type Regions = ReadonlyMap<string, number>

/** Countries by code, and by name in English and in the viewer's language. */
export function countryRegions(locale: string): Regions {
  const found = new Map<string, number>()
  const names = [locale, 'en'].map(language => new Intl.DisplayNames(language, { type: 'region' }))
  const numbers = new Map<string, number>()
  for (const entry of countries) {
    const [two, three, number] = [entry.slice(0, 2), entry.slice(2, 5), Number(entry.slice(5))]
    numbers.set(two, number)
    for (const name of [two, three, ...names.map(list => list.of(two) ?? two)]) found.set(plainName(name), number)
  }
  for (const [name, code] of Object.entries(alsoCalled)) {
    const number = numbers.get(code)
    if (number !== undefined) found.set(plainName(name), number)
  }
  return found
}

export function stateRegions(): Regions {
  const found = new Map<string, number>()
  for (const entry of states) {
    const number = Number(entry.slice(2, 4))
    for (const name of [entry.slice(0, 2), `us ${entry.slice(0, 2)}`, entry.slice(4)])
      found.set(plainName(name), number)
  }
  return found
}

/** Without case, accents, marks and what stands in parentheses. */
export function plainName(text: string): string {
  return text
    .replace(/\([^)]*\)/g, ' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
}
