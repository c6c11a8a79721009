import { availableParallelism } from 'node:os'
import { KeyedSemaphore } from '../base/keyedSemaphore.ts'
import { Semaphore } from '../base/semaphore.ts'

/** Of one account from one network: those only keep themselves waiting. */
const MAX_PER_ACCOUNT_AND_NETWORK = 64
/** Networks that may wait for the turn of one account: after failures, each may take two seconds. */
const MAX_NETWORKS_PER_ACCOUNT = 10
/** Accounts that may wait for the turn of one network. */
const MAX_ACCOUNTS_PER_NETWORK = 64
/** Networks that may wait for a processor, and as many suspects: some seconds' work for two. */
const MAX_WAITING = 512
/** In seconds. */
const RETRY_AFTER = 2

const BUSY = 'Too many are signing in just now. Please try again.'
const ACCOUNT_BUSY = 'Too many requests with this account need a password checked. Please try again.'
const NETWORK_BUSY = 'Too many are signing in from this address just now. Please try again.'

/**
 * Shares out the hashing of passwords, which takes a processor for some hundredths of a second. Each account and each
 * network has at most one hash waiting or running, so that whoever asks for many keeps only themselves waiting. To hold
 * one turn while waiting for another can't end in a deadlock as long as they are taken in the order account, network,
 * processor.
 */
export class HashQueue {
  private readonly accountsByNetwork = new KeyedSemaphore(
    MAX_PER_ACCOUNT_AND_NETWORK,
    ACCOUNT_BUSY,
    RETRY_AFTER,
  )
  private readonly accounts = new KeyedSemaphore(MAX_NETWORKS_PER_ACCOUNT, ACCOUNT_BUSY, RETRY_AFTER)
  private readonly networks = new KeyedSemaphore(MAX_ACCOUNTS_PER_NETWORK, NETWORK_BUSY, RETRY_AFTER)
  private readonly processors = new Semaphore(availableParallelism(), MAX_WAITING, BUSY, RETRY_AFTER)

  /** Takes the turn of an account, for which each network waits in one place only. */
  forAccount<T>(account: string, network: string, work: () => Promise<T>): Promise<T> {
    return this.accountsByNetwork.run(`${network} ${account}`, () => this.accounts.run(account, work))
  }

  forNetwork<T>(network: string, work: () => Promise<T>): Promise<T> {
    return this.networks.run(network, work)
  }

  /** @param isSuspect makes it wait apart from the others */
  forProcessor<T>(work: () => Promise<T>, isSuspect: boolean): Promise<T> {
    return this.processors.run(work, isSuspect)
  }
}
