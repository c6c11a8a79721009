import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { englishFamily, feminineless } from './wordForms.ts'

/** Some of the languages, a bit for each. */
export type LanguageSet = number

interface Language {
  readonly stem: (word: string) => string
  /** Small words, without accents: they tell the language of a text, and say nothing in a search. */
  readonly smallWords: string
  /** What people write around what they look for. */
  readonly searchWords: string
  /** Whether it writes compounds as one word. */
  readonly compounds?: true
}

/** The order is part of the index file: a language more means another TOKENIZER_VERSION. */
const LANGUAGES: readonly Language[] = [
  {
    stem: word => englishFamily(english(word)),
    smallWords:
      'a an the and of to in for me get with on at by from is are was be been am i we you your our my they their this that these those as will have has who which what any all some not but if into about than',
    searchWords:
      'looking look find job jobs position positions vacancy vacancies please wanted hiring hire search searching need want open opening openings opportunity opportunities role roles career careers employment company companies work working',
  },
  {
    stem: word => german(feminineless(word)),
    smallWords:
      'der die das den dem des ein eine einen einem einer eines und oder mit fur von vom zu zum zur im auf bei beim als wir sie ihr ihre unser unsere ist sind nicht auch nach sowie uber aus werden suchen ich',
    searchWords: 'suche gesucht stelle stellen stellenangebot stellenangebote job jobs arbeit bitte',
    compounds: true,
  },
  {
    stem: french,
    smallWords:
      'le la les un une des du de et ou en au aux dans pour par sur avec est sont nous vous votre vos notre nos que qui ce cette ces se son sa ses vers chez je',
    searchWords: 'cherche recherche emploi emplois poste postes offre offres',
  },
  {
    stem: spanish,
    smallWords:
      'el la los las un una unos unas de del al y o en con por para es son que se su sus nuestro nuestra como lo mas este esta tu tus somos yo',
    searchWords: 'busco buscamos trabajo trabajos empleo empleos puesto puestos oferta ofertas',
  },
  {
    stem: dutch,
    smallWords:
      'de het een en van in op te voor met aan bij is zijn wij je jij jouw ons onze als dat die deze om naar ook of niet uit door over ben wordt worden ik',
    searchWords: 'zoek gezocht vacature vacatures baan banen werk',
    compounds: true,
  },
  {
    stem: portuguese,
    smallWords:
      'o os as um uma uns umas de do da dos das em no na nos nas e ou com por para que se seu sua seus suas nosso nossa como mais ao aos voce ser eu',
    searchWords: 'procuro procura vaga vagas emprego empregos trabalho',
  },
  {
    stem: italian,
    smallWords:
      'il lo la i gli le un uno una di del dello della dei degli delle da dal in nel nella con per su sul e ed che si sono nostro nostra come alla al anche non io',
    searchWords: 'cerco cercasi lavoro lavori offerta offerte posto posti',
  },
]

const NO_LANGUAGE: LanguageSet = 0
const ALL_LANGUAGES: LanguageSet = 2 ** LANGUAGES.length - 1
/** A text with fewer words than this may be in any language if its small words don't tell. */
const SHORT_TEXT = 30
/** Small words that a text of a language has at least. */
const FEWEST_SMALL_WORDS = 3
/** The share of the most small words that a second language of a text has at least. */
const SECOND_LANGUAGE = 0.8
/** Stems of words with digits or of one or two letters join what has nothing in common. */
const STEMMED = /^\p{L}{3,}$/u

const bitsOf = (wordsOf: (language: Language) => string) => {
  const bits = new Map<string, LanguageSet>()
  LANGUAGES.forEach((language, at) => {
    for (const word of wordsOf(language).split(' ')) bits.set(word, (bits.get(word) ?? 0) | (1 << at))
  })
  return bits
}
const SMALL_WORDS = bitsOf(({ smallWords }) => smallWords)
const SEARCH_WORDS = bitsOf(({ searchWords }) => searchWords)

/** The languages in which there are compounds to be looked into. */
export const compoundLanguages: LanguageSet = LANGUAGES.reduce(
  (set, { compounds }, at) => (compounds ? set | (1 << at) : set),
  NO_LANGUAGE,
)

/** Whether a word says nothing about what is looked for, in one of these languages. */
export const isSmallWord = (word: string, languages: LanguageSet) =>
  (((SMALL_WORDS.get(word) ?? 0) | (SEARCH_WORDS.get(word) ?? 0)) & languages) !== 0

/** Returns the languages in which a word is a small one: an article, a preposition, a pronoun. */
export const smallWordLanguages = (word: string): LanguageSet => SMALL_WORDS.get(word) ?? NO_LANGUAGE

/**
 * Returns the languages that a text is likely in: those with the most small words.
 * @param smallWords for each of its words the languages in which it is a small one
 */
export function detectLanguages(smallWords: readonly LanguageSet[]): LanguageSet {
  const counts = LANGUAGES.map(() => 0)
  for (const languages of smallWords)
    if (languages !== NO_LANGUAGE)
      for (let at = 0; at < counts.length; at++) counts[at] = (counts[at] ?? 0) + ((languages >> at) & 1)
  const most = Math.max(...counts)
  if (most < FEWEST_SMALL_WORDS) return smallWords.length < SHORT_TEXT ? ALL_LANGUAGES : NO_LANGUAGE
  return counts.reduce(
    (set, count, at) => (count >= most * SECOND_LANGUAGE ? set | (1 << at) : set),
    NO_LANGUAGE,
  )
}

/** The stems of a word in some languages, each with the mark of its language. */
export function stemsOf(word: string, languages: LanguageSet): string[] {
  if (!STEMMED.test(word)) return []
  return LANGUAGES.flatMap(({ stem }, at) => ((languages >> at) & 1 ? [`${stem(word)}${at}`] : []))
}
