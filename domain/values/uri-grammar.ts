// Regular-expression parts for the grammar of RFC 3986, appendix A. No repetition is ambiguous, so matching takes linear time.

const unreserved = "A-Za-z0-9\\-._~"
const subDelims = "!$&'()*+,;="
const genDelims = ":/?#\\[\\]@"
const anyOf = (characters: string) => `(?:[${characters}]|%[0-9A-Fa-f]{2})`

/** The characters allowed in URIs, as the content of a character class. */
export const uriCharacters = `${genDelims}${subDelims}${unreserved}`

export const scheme = "[A-Za-z][A-Za-z0-9+\\-.]*"
export const pchar = anyOf(`${unreserved}${subDelims}:@`)

const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"
const ipv4 = `${octet}(?:\\.${octet}){3}`
const h16 = "[0-9A-Fa-f]{1,4}"
const ls32 = `(?:${h16}:${h16}|${ipv4})`
const upTo = (limit: number) => `(?:(?:${h16}:){0,${limit}}${h16})?`
const ipv6 = [
  `(?:${h16}:){6}${ls32}`,
  `::(?:${h16}:){5}${ls32}`,
  `${upTo(0)}::(?:${h16}:){4}${ls32}`,
  `${upTo(1)}::(?:${h16}:){3}${ls32}`,
  `${upTo(2)}::(?:${h16}:){2}${ls32}`,
  `${upTo(3)}::${h16}:${ls32}`,
  `${upTo(4)}::${ls32}`,
  `${upTo(5)}::${h16}`,
  `${upTo(6)}::`,
].join("|")
const ipFuture = `[Vv][0-9A-Fa-f]+\\.[${unreserved}${subDelims}:]+`
const ipLiteral = `\\[(?:${ipv6}|${ipFuture})\\]`

const regNameCharacter = anyOf(`${unreserved}${subDelims}`)
const userinfo = `${anyOf(`${unreserved}${subDelims}:`)}*`
const authorityOf = (regName: string) => `(?:${userinfo}@)?(?:${ipLiteral}|${regName})(?::\\d*)?`

/** An authority with a host that is not empty, unlike that of `file:///`. */
export const authority = authorityOf(`${regNameCharacter}+`)

const segments = `(?:/${pchar}*)*`
const rootless = `${pchar}+${segments}`
const hierPart = `(?://${authorityOf(`${regNameCharacter}*`)}${segments}|/(?:${rootless})?|${rootless}|)`
const rest = `(?:${pchar}|[/?])*`

export const uri = `${scheme}:${hierPart}(?:\\?${rest})?(?:#${rest})?`
