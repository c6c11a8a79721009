import { expect, test } from 'bun:test'
import { regionIn } from '../../src/s3/s3Requests.ts'

test.each([
  ['s3.eu-central-1.amazonaws.com', 'eu-central-1'],
  ['s3-us-west-2.amazonaws.com', 'us-west-2'],
  ['s3.dualstack.eu-west-3.amazonaws.com', 'eu-west-3'],
  ['s3.us-west-004.backblazeb2.com', 'us-west-004'],
  ['s3.amazonaws.com', 'us-east-1'],
  ['s3.example.com', 'us-east-1'],
  ['127.0.0.1:9000', 'us-east-1'],
])('requests to %s are signed for %s', (host, region) => {
  expect(regionIn(host)).toBe(region)
})
