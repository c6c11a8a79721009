import { describe, expect, test } from 'bun:test'
import { configErrors, readConfig } from '../helpers/config.ts'
import { temporaryFiles } from '../helpers/files.ts'

const { folder, file } = temporaryFiles()

describe('uploaded backups', () => {
  const key = () => file('key', 'AKID\nsecret/with+signs\n')

  test.each([
    ['s3://backups', { bucket: 'backups', prefix: '', file: '' }],
    ['s3://backups/', { bucket: 'backups', prefix: '', file: '' }],
    ['s3://my.backups/jobs/board-1', { bucket: 'my.backups', prefix: 'jobs/board-1/', file: '' }],
    ['s3://backups//jobs//', { bucket: 'backups', prefix: 'jobs/', file: '' }],
  ])('can go to %s', (text, location) => {
    expect(readConfig(['--backup-s3', text, '--s3-key-file', key()], {})).toMatchObject({
      backupS3: location,
      s3KeyFile: { id: 'AKID', secret: 'secret/with+signs' },
    })
  })

  test.each([
    'backups',
    's3://',
    's3://A',
    's3://b',
    's3://backups/../other',
    's3://backups/a b',
    'http://backups/x',
  ])("can't go to %s", text => {
    const [error = ''] = configErrors(['--backup-s3', text, '--s3-key-file', key()])
    expect(error).toStartWith(
      '--backup-s3 must be a bucket, and a folder in it if you want, such as s3://backups/jobs',
    )
  })

  test('need a folder and a key', () => {
    expect(configErrors(['--backup-s3', 's3://backups'])).toEqual(['--backup-s3 requires --s3-key-file.'])
    expect(configErrors(['--backup-s3', 's3://backups/b.tar', '--s3-key-file', key()])[0]).toContain(
      'must be a folder, not a file',
    )
  })

  test.each(['', 'AKID', 'AKID secret more'])('need a key file with an id and a secret: %j', text => {
    const path = file('other', text)
    expect(configErrors(['--s3-key-file', path])).toEqual([
      `--s3-key-file must name a file with two lines: the id of a key and its secret (given: ${JSON.stringify(path)}).`,
    ])
  })

  test.each(['', 'abc', 'x'.repeat(64), 'a'.repeat(63), 'a'.repeat(66)])(
    'are encrypted with 64 digits, not %j',
    text => {
      const path = file('other', text)
      expect(configErrors(['--backup-key-file', path])).toEqual([
        `--backup-key-file must name a file with 64 hexadecimal digits, such as "openssl rand -hex 32" prints (given: ${JSON.stringify(path)}).`,
      ])
      expect(
        readConfig(['--backup-key-file', file('right', `${'0F'.repeat(32)}\n`)], {}).backupKeyFile,
      ).toEqual(Buffer.alloc(32, 15))
    },
  )

  test('report files that are missing', () => {
    for (const flag of ['--s3-key-file', '--backup-key-file'])
      expect(configErrors([flag, `${folder}/none`])[0]).toStartWith(`${flag} can't be read: no such file`)
  })
})
