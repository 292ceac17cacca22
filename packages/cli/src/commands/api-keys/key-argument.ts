import { nonBlank, required } from '../../framework/parameter.ts'

export const keyArgument = required(nonBlank('id', 'names no key'), 'id of the key, from `hedron api-keys list`')
