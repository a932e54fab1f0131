import type { LookupFunction } from "node:net"

// URLs with which a request could be made to reach the service's own network.

/** An address of every special-use network (RFC 6890, RFC 6052, RFC 4291), and both ends of those that are easily cut wrong. */
export const privateAddresses: ReadonlyArray<string> = [
  ...["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.1.2.3", "10.255.255.255", "100.64.0.0", "100.127.255.255"],
  ...["127.0.0.0", "127.0.0.1", "127.1.2.3", "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255"],
  ...["172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255"],
  ...["198.18.0.0", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
  ...["::", "::1", "::7f00:1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1", "0:0:0:0:0:0:0:1"],
  ...["64:ff9b::127.0.0.1", "64:ff9b::808:808", "64:ff9b:1::7f00:1", "64:ff9b:1:ffff:ffff:ffff:7f00:1", "100::1", "1fff:ffff::1"],
  ...["2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff:ffff::1"],
  ...["2001:db8::1", "2002::", "2002:7f00:1::", "2002:a00:1::1", "2002:ffff:ffff::1", "3fff::1", "3fff:fff:ffff::1", "4000::1", "5f00::1"],
  ...["fc00::1", "fd00:ec2::254", "fdff:ffff::1", "fe80::1", "febf::1", "fec0::1", "feff::1", "ff00::1", "ff02::1", "ff0e::1"],
]

/** Public addresses next to those networks. */
export const publicAddresses: ReadonlyArray<string> = [
  ...["1.0.0.0", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"],
  ...["169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0"],
  ...["198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255"],
  ...["2000::1", "2001:200::1", "2001:db7:ffff::1", "2001:db9::1", "2003::1", "2606:4700::1111", "3ffe::1", "3fff:1000::1"],
]

const isIpv6 = (address: string) => address.includes(":")
const octets = (address: string) => address.split(".").map(Number)
const numberOf = (address: string) => octets(address).reduce((value, octet) => value * 256 + octet, 0)

/** The forms of an address that URLs accept. */
const notations = (address: string): ReadonlyArray<string> => {
  if (isIpv6(address)) return [`[${address}]`, `[${address.toUpperCase()}]`]
  const [a = 0, b = 0, c = 0, d = 0] = octets(address)
  const number = numberOf(address)
  const hex = (value: number) => `0x${value.toString(16)}`
  const octal = (value: number) => `0${value.toString(8)}`
  return [
    address,
    `${address}.`,
    String(number),
    hex(number),
    octal(number),
    [a, b, c, d].map(hex).join("."),
    [a, b, c, d].map(octal).join("."),
    `${a}.${b * 65_536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `[::ffff:${address}]`,
    `[64:ff9b::${address}]`,
    address.replaceAll(".", "。"),
    [...address].map((digit) => (digit === "." ? digit : String.fromCodePoint(0xff10 + Number(digit)))).join(""),
  ]
}

const names = ["localhost", "LOCALHOST", "localhost.", "a.localhost", "a.b.localhost.", "ｌocalhost", "loc%61lhost"]

const schemes = ["http", "ftp", "file", "gopher", "ws", "data", "javascript"]

/** URLs that must not cause any connection. `port` is that of a listener on this machine. */
export const hostileUrls = (port: number): ReadonlyArray<string> => [
  ...[...privateAddresses.flatMap(notations), ...names].flatMap((host) => [`https://${host}:${port}/`, `http://${host}:${port}/a?b=c`]),
  ...schemes.map((scheme) => `${scheme}://public.example:${port}/`),
  ...["user@", "user:password@", ":@", "public.example@"].flatMap((user) => [
    `https://${user}public.example:${port}/`,
    `https://${user}127.0.0.1:${port}/`,
  ]),
  `https://public.example:${port}@127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}\\@public.example/`,
  `https:127.0.0.1:${port}/`,
  `https:\\\\127.0.0.1:${port}\\`,
  `https://127.0.0.1:${port}#@public.example/`,
  `https://[fe80::1%25lo]:${port}/`,
  `//127.0.0.1:${port}/`,
  "",
  "not a URL",
]

/** A resolver whose answers follow each other; the last one is repeated. Counts the questions. */
export const resolver = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const asked: Array<string> = []
  const lookup: LookupFunction = (host, { all = false }, done) => {
    const addresses = (answers[asked.length] ?? answers.at(-1) ?? []).map((address) => ({ address, family: isIpv6(address) ? 6 : 4 }))
    asked.push(host)
    const [first = { address: "", family: 0 }] = addresses
    if (all) done(null, addresses)
    else done(null, first.address, first.family)
  }
  return { asked, lookup }
}
