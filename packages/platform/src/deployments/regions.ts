import { CodedError } from '@hedron/contract'

/** A self-hosted installation is one region: the machines that it runs on. */
export const regions = [
  {
    id: 1,
    name: 'local',
    title: 'This installation',
    provider: 'self-hosted',
    isDedicated: false,
    isHybrid: false,
    isPublic: true,
    useAiEngineer: false,
  },
] as const

/** @throws {CodedError} `region_unknown`. */
export function requireRegion(name: string): string {
  const found = regions.find(region => region.name === name)
  if (!found) throw new CodedError('region_unknown', { region: name, allowed: regions.map(r => r.name).join(', ') })
  return found.name
}
