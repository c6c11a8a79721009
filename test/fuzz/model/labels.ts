import { faulty, forAdmins, forUsers, isTaken, MISSING, type Plans, type Records } from './records.ts'

/** Categories and terms differ only in their names. */
export type Sort = 'categories' | 'terms'

const faultsIn = (records: Records, sort: Sort, name: string, self?: number) =>
  name.trim() === '' || isTaken(records[sort], name.trim(), self) ? ['name'] : []

export const postLabel =
  (sort: Sort, name: string): Plans =>
  (records, caller) => {
    const outcome = forAdmins(caller, () => {
      const faults = faultsIn(records, sort, name)
      if (faults.length > 0) return faulty(faults)
      return { status: 201, body: records[sort].add({ name: name.trim() }) }
    })
    return { method: 'POST', path: `/${sort}.json`, body: { name }, outcome }
  }

export const putLabel =
  (sort: Sort, number: number, name: string | undefined): Plans =>
  (records, caller) => {
    const id = records[sort].pick(number)
    const outcome = forAdmins(caller, () => {
      if (!records[sort].get(id)) return MISSING
      const faults = name === undefined ? [] : faultsIn(records, sort, name, id)
      if (faults.length > 0) return faulty(faults)
      return { status: 200, body: records[sort].change(id, name === undefined ? {} : { name: name.trim() }) }
    })
    return { method: 'PUT', path: `/${sort}/${id}.json`, body: { name }, outcome }
  }

/** Deletes its jobs too, whatever their state. */
export const deleteLabel =
  (sort: Sort, number: number): Plans =>
  (records, caller) => {
    const id = records[sort].pick(number)
    const outcome = forAdmins(caller, () => {
      if (!records[sort].get(id)) return MISSING
      const jobs = records.jobs.all.filter(job => (sort === 'terms' ? job.term : job.category) === id)
      for (const job of jobs) records.jobs.remove(job.id)
      records[sort].remove(id)
      return { status: 200, says: ` ${jobs.length} job` }
    })
    return { method: 'DELETE', path: `/${sort}/${id}.json`, outcome }
  }

export const getLabels =
  (sort: Sort): Plans =>
  (records, caller) => ({
    method: 'GET',
    path: `/${sort}.json`,
    outcome: forUsers(caller, () => ({
      status: 200,
      body: records[sort].all,
      total: records[sort].all.length,
    })),
  })

export const getLabel =
  (sort: Sort, number: number): Plans =>
  (records, caller) => {
    const id = records[sort].pick(number)
    const outcome = forUsers(caller, () => {
      const label = records[sort].get(id)
      return label ? { status: 200, body: label } : MISSING
    })
    return { method: 'GET', path: `/${sort}/${id}.json`, outcome }
  }
