import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { englishFamily, portugueseSingular, withoutFeminineEnding } from './wordForms.ts'

/** A set of languages, with a bit for each. */
export type LanguageSet = number

interface Language {
  readonly stem: (word: string) => string
  /** Stop words, without accents. They identify the language of a text, and are ignored in a search. */
  readonly stopWords: string
  /** Words that people add to a search, and that are ignored too. */
  readonly searchWords: string
  /** Whether compounds are written as one word. */
  readonly compounds?: true
}

/** The languages. Their order is part of the index file, so adding one requires a new version of the file. */
const LANGUAGES: readonly Language[] = [
  {
    stem: word => englishFamily(word, english(word)),
    stopWords:
      'the a an and of to in for me get with on at by from is are was be been am i we you your our my they their this that these those as will have has who which what any all some not but if into about than',
    searchWords:
      'looking look find job jobs position positions vacancy vacancies please wanted hiring hire search searching need want open opening openings opportunity opportunities role roles career careers employment company companies work working',
  },
  {
    stem: word => german(withoutFeminineEnding(word)),
    stopWords:
      'und der die das den dem des ein eine einen einem einer eines oder mit fur von vom zu zum zur im auf bei beim als wir sie ihr ihre unser unsere ist sind nicht auch nach sowie uber aus werden suchen ich',
    searchWords: 'suche gesucht stelle stellen stellenangebot stellenangebote job jobs arbeit bitte',
    compounds: true,
  },
  {
    stem: french,
    stopWords:
      'et le la les un une des du de ou en au aux dans pour par sur avec est sont nous vous votre vos notre nos que qui ce cette ces se son sa ses vers chez je',
    searchWords: 'cherche recherche emploi emplois poste postes offre offres',
  },
  {
    stem: spanish,
    stopWords:
      'los el la las un una unos unas de del al y o en con por para es son que se su sus nuestro nuestra como lo mas este esta tu tus somos yo',
    searchWords: 'busco buscamos trabajo trabajos empleo empleos puesto puestos oferta ofertas',
  },
  {
    stem: dutch,
    stopWords:
      'het de een en van in op te voor met aan bij is zijn wij je jij jouw ons onze als dat die deze om naar ook of niet uit door over ben wordt worden ik',
    searchWords: 'zoek gezocht vacature vacatures baan banen werk',
    compounds: true,
  },
  {
    stem: word => portuguese(portugueseSingular(word)),
    stopWords:
      'o os as um uma uns umas de do da dos das em no na nos nas e ou com por para que se seu sua seus suas nosso nossa como mais ao aos voce ser eu',
    searchWords: 'procuro procura vaga vagas emprego empregos trabalho',
  },
  {
    stem: italian,
    stopWords:
      'di il lo la i gli le un uno una del dello della dei degli delle da dal in nel nella con per su sul e ed che si sono nostro nostra come alla al anche non io',
    searchWords: 'cerco cercasi lavoro lavori offerta offerte posto posti',
  },
]

const NO_LANGUAGE: LanguageSet = 0
const ALL_LANGUAGES: LanguageSet = 2 ** LANGUAGES.length - 1
/** The number of words below which a text without stop words may be in any language. */
const MAX_SHORT_TEXT_WORDS = 30
/** The minimum number of a language's stop words in a text. */
const MIN_STOP_WORDS = 3
/** The minimum number of stop words of a second language, as a share of those of the first. */
const SECOND_LANGUAGE_SHARE = 0.8
/** Matches the words that are stemmed. Stems of words with digits, or of one or two letters, would join unrelated words. */
const STEMMED = /^\p{L}{3,}$/u

const bitsOf = (wordsOf: (language: Language) => string) => {
  const bits = new Map<string, LanguageSet>()
  LANGUAGES.forEach((language, at) => {
    for (const word of wordsOf(language).split(' ')) bits.set(word, (bits.get(word) ?? 0) | (1 << at))
  })
  return bits
}
const STOP_WORDS = bitsOf(({ stopWords }) => stopWords)
const SEARCH_WORDS = bitsOf(({ searchWords }) => searchWords)

/** The languages that write compounds as one word. */
export const compoundLanguages: LanguageSet = LANGUAGES.reduce(
  (set, { compounds }, at) => (compounds ? set | (1 << at) : set),
  NO_LANGUAGE,
)

/** Returns the languages whose most typical stop word, the first of each list, passes a test. */
export const languagesWhere = (isCommon: (word: string) => boolean): LanguageSet =>
  LANGUAGES.reduce(
    (set, { stopWords }, at) =>
      isCommon(stopWords.slice(0, stopWords.indexOf(' '))) ? set | (1 << at) : set,
    NO_LANGUAGE,
  )

/** Whether a word is ignored in a search, in one of these languages. */
export const isStopWord = (word: string, languages: LanguageSet) =>
  (((STOP_WORDS.get(word) ?? 0) | (SEARCH_WORDS.get(word) ?? 0)) & languages) !== 0

/** Returns the languages in which a word is a stop word: an article, a preposition, a pronoun. */
export const stopWordLanguages = (word: string): LanguageSet => STOP_WORDS.get(word) ?? NO_LANGUAGE

/**
 * Returns the likely languages of a text: those with the most stop words in it.
 * @param stopWords for each word of the text, the languages in which it is a stop word
 */
export function detectLanguages(stopWords: readonly LanguageSet[]): LanguageSet {
  const counts = LANGUAGES.map(() => 0)
  for (const languages of stopWords)
    if (languages !== NO_LANGUAGE)
      for (let at = 0; at < counts.length; at++) counts[at] = (counts[at] ?? 0) + ((languages >> at) & 1)
  const most = Math.max(...counts)
  if (most < MIN_STOP_WORDS) return stopWords.length < MAX_SHORT_TEXT_WORDS ? ALL_LANGUAGES : NO_LANGUAGE
  return counts.reduce(
    (set, count, at) => (count >= most * SECOND_LANGUAGE_SHARE ? set | (1 << at) : set),
    NO_LANGUAGE,
  )
}

/** Returns the stems of a word in these languages, each marked with its language. */
export function stemsOf(word: string, languages: LanguageSet): string[] {
  if (!STEMMED.test(word)) return []
  return LANGUAGES.flatMap(({ stem }, at) => ((languages >> at) & 1 ? [`${stem(word)}${at}`] : []))
}
