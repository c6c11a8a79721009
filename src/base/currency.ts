/**
 * ISO 4217, List One, as it stands after amendment 180 (Bulgaria has the euro since January 2026): the money that a
 * person can be paid in. Left out are the list's funds and units of account (BOV, CHE, CHW, CLF, COU, MXV, USN, UYI,
 * UYW, XAD, XBA to XBD, XDR, XSU, XUA), its metals, and its codes for tests and for no currency (XTS, XXX).
 * `Intl.supportedValuesOf('currency')` will not do: it holds the codes of the past too.
 */
const CODES_IN_USE = new Set(
  `
  AED AFN ALL AMD AOA ARS AUD AWG AZN
  BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD
  CAD CDF CHF CLP CNY COP CRC CUP CVE CZK
  DJF DKK DOP DZD
  EGP ERN ETB EUR
  FJD FKP
  GBP GEL GHS GIP GMD GNF GTQ GYD
  HKD HNL HTG HUF
  IDR ILS INR IQD IRR ISK
  JMD JOD JPY
  KES KGS KHR KMF KPW KRW KWD KYD KZT
  LAK LBP LKR LRD LSL LYD
  MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN
  NAD NGN NIO NOK NPR NZD
  OMR
  PAB PEN PGK PHP PKR PLN PYG
  QAR
  RON RSD RUB RWF
  SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
  THB TJS TMT TND TOP TRY TTD TWD TZS
  UAH UGX USD UYU UZS
  VED VES VND VUV
  WST
  XAF XCD XCG XOF XPF
  YER
  ZAR ZMW ZWG
  `
    .trim()
    .split(/\s+/),
)

/** Their upper-case codes, in the order of the alphabet. */
export const CURRENCIES: readonly string[] = [...CODES_IN_USE]

/** Whether this is the upper-case ISO 4217 code of money in use today. */
export const isCurrency = (code: string) => CODES_IN_USE.has(code)
