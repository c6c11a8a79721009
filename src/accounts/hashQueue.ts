import { availableParallelism } from 'node:os'
import { KeyedSemaphore } from '../base/keyedSemaphore.ts'
import { Semaphore } from '../base/semaphore.ts'

/** The tasks of one account from one network that may wait. They only delay each other. */
const MAX_PER_ACCOUNT_AND_NETWORK = 64
/** The networks that may wait for one account. After failures, each turn may take two seconds. */
const MAX_NETWORKS_PER_ACCOUNT = 10
/** The accounts that may wait for one network. */
const MAX_ACCOUNTS_PER_NETWORK = 64
/** The networks that may wait for a processor, and the suspects: each a few seconds of work for two processors. */
const MAX_WAITING = 512

const BUSY = 'Too many people are signing in right now. Please try again.'
const ACCOUNT_BUSY = 'Too many requests for this account are waiting for a password check. Please try again.'
const NETWORK_BUSY = 'Too many people are signing in from this address right now. Please try again.'

/**
 * Schedules the hashing of passwords, which takes a processor for some hundredths of a second. Each account and each
 * network has at most one hash waiting or running, so that clients that request many only delay themselves. To avoid a
 * deadlock, turns are taken in the order account, network, processor.
 */
export class HashQueue {
  private readonly accountsByNetwork = new KeyedSemaphore(MAX_PER_ACCOUNT_AND_NETWORK, ACCOUNT_BUSY)
  private readonly accounts = new KeyedSemaphore(MAX_NETWORKS_PER_ACCOUNT, ACCOUNT_BUSY)
  private readonly networks = new KeyedSemaphore(MAX_ACCOUNTS_PER_NETWORK, NETWORK_BUSY)
  private readonly processors = new Semaphore(availableParallelism(), MAX_WAITING, BUSY)

  /** Runs a task when the account's turn comes. Each network has one place in the account's queue. */
  forAccount<T>(account: string, network: string, task: () => Promise<T>): Promise<T> {
    return this.accountsByNetwork.run(`${network} ${account}`, () => this.accounts.run(account, task))
  }

  /** Runs a task when the network's turn comes. */
  forNetwork<T>(network: string, task: () => Promise<T>): Promise<T> {
    return this.networks.run(network, task)
  }

  /**
   * Runs a task when a processor is free.
   * @param isSuspect puts the task in the queue for suspects
   */
  forProcessor<T>(task: () => Promise<T>, isSuspect: boolean): Promise<T> {
    return this.processors.run(task, isSuspect)
  }
}
