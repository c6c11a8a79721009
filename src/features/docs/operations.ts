import { Type } from '@sinclair/typebox'
import { operation } from '../../http/operation.ts'

/** The parts of the document that clients may count on. */
export interface Description {
  openapi: string
  info: object
  paths: object
  components: object
}

export const documentOperation = operation({
  id: 'getDescription',
  tag: 'Board',
  summary: 'Read this description',
  responses: {
    200: {
      description: 'An OpenAPI 3.1 document.',
      schema: Type.Unsafe<Description>({
        type: 'object',
        required: ['openapi', 'info', 'paths', 'components'],
      }),
      example: {
        openapi: '3.1.0',
        info: { title: 'Corkboard', version: '0.1.0' },
        paths: {},
        components: {},
      },
    },
  },
})

export const pageOperation = operation({
  id: 'getDocs',
  tag: 'Board',
  summary: 'Read it as a page',
  description: 'This description as a page for people, who can send requests from it.',
  responses: {
    200: { description: 'The page.', schema: Type.String(), type: 'text/html', example: '<!doctype html>…' },
  },
})
