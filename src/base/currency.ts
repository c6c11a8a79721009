/**
 * The currencies of ISO 4217, List One, in which a person can be paid, as of amendment 180 (Bulgaria has used the euro
 * since January 2026). Not included are the funds and units of account (BOV, CHE, CHW, CLF, COU, MXV, USN, UYI, UYW, XAD,
 * XBA to XBD, XDR, XSU, XUA), the metals, and the codes for tests and for no currency (XTS, XXX).
 * `Intl.supportedValuesOf('currency')` contains former currencies too.
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

/** The upper-case codes of the currencies in use, in alphabetical order. */
export const CURRENCIES: readonly string[] = [...CODES_IN_USE]

/** Returns whether a text is the upper-case ISO 4217 code of a currency in use. */
export const isCurrency = (code: string) => CODES_IN_USE.has(code)
