import type { QueryWord } from './queryTerm.ts'
import type { SynonymGroup } from './searchMessages.ts'
import { tokenizeQuery } from './tokenizer.ts'

type Phrase = SynonymGroup[number]

/** The synonyms that the owner of a board has defined. */
export class Synonyms {
  constructor(private readonly groups: readonly SynonymGroup[]) {}

  /** Adds synonyms to the words of a search, for single words and for phrases. */
  expand(words: readonly QueryWord[]): readonly QueryWord[] {
    if (this.groups.length === 0) return words
    const added = words.map((): Phrase[] => [])
    for (const group of this.groups)
      for (const phrase of group) {
        const others = group.filter(other => other !== phrase)
        for (const start of occurrences(phrase, words))
          for (const list of added.slice(start, start + phrase.length)) list.push(...others)
      }
    return words.map((word, at) => withSynonyms(word, added[at] ?? []))
  }
}

function withSynonyms(word: QueryWord, synonyms: readonly Phrase[]): QueryWord {
  const words = synonyms.filter(({ length }) => length === 1)
  const phrases = synonyms.filter(({ length }) => length > 1)
  return {
    ...word,
    alternatives: [...word.alternatives, ...words.flat()],
    phrases: [...word.phrases, ...phrases],
  }
}

const occurrences = (phrase: Phrase, words: readonly QueryWord[]) =>
  words.flatMap((_, at) => (phrase.every((text, n) => words[at + n]?.text === text) ? [at] : []))

/** The valid lines of a synonym file, and the errors of the others. */
export interface SynonymFile {
  readonly groups: readonly SynonymGroup[]
  readonly errors: readonly string[]
}

/** Parses lines such as `js = javascript` or `rn = registered nurse`. A `#` begins a comment. */
export function parseSynonyms(text: string): SynonymFile {
  const groups: Phrase[][] = []
  const errors: string[] = []
  text.split(/\r?\n/).forEach((line, at) => {
    const content = line.replace(/(?:^|\s)#.*$/, '').trim()
    if (content === '') return
    const phrases = content.split('=').map(side => tokenizeQuery(side).map(({ text: word }) => word))
    if (phrases.length >= 2 && phrases.every(({ length }) => length > 0)) groups.push(phrases)
    else
      errors.push(`line ${at + 1}: write words that mean the same with = between, such as "js = javascript"`)
  })
  return { groups, errors }
}
