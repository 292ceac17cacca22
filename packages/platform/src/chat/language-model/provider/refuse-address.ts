import { BlockList, isIPv6 } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Link-local addresses and those where clouds keep the secrets of their machines, and what is no machine's address at all. */
const never = new BlockList()
never.addSubnet('0.0.0.0', 8, 'ipv4')
never.addSubnet('169.254.0.0', 16, 'ipv4')
never.addAddress('100.100.100.200', 'ipv4')
never.addAddress('168.63.129.16', 'ipv4')
never.addAddress('192.0.0.192', 'ipv4')
never.addSubnet('224.0.0.0', 3, 'ipv4')
never.addAddress('::', 'ipv6')
never.addSubnet('fe80::', 10, 'ipv6')
never.addSubnet('ff00::', 8, 'ipv6')
never.addAddress('fd00:ec2::254', 'ipv6')
never.addAddress('fd20:ce::254', 'ipv6')
// Addresses of version 4 inside others, which a gateway would unpack: nobody needs them for a server of models.
never.addSubnet('64:ff9b::', 96, 'ipv6')
never.addSubnet('64:ff9b:1::', 48, 'ipv6')
never.addSubnet('2002::', 16, 'ipv6')

/** Whether nothing is sent to an address of the network, whoever names it (contract/behaviour/chat.md, "BYO model"). */
export function isRefusedAddress(address: string, allowsLoopback: boolean): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  // A scope, as in `fe80::1%eth0`, is no part of the address.
  const [plain = ''] = address.split('%')
  return never.check(plain, family) || (!allowsLoopback && loopback.check(plain, family))
}
