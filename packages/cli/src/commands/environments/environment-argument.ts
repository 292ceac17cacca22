import { required, rowId } from '../../framework/parameter.ts'

export const environmentArgument = required(rowId, 'id of the environment, from `hedron environments list`')
