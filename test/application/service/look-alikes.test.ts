import { Option, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { admit } from "../../../application/import/admission.ts"
import { admin } from "../../../application/modules/admin/index.ts"
import { profileOf } from "../../../application/modules/social/profile.ts"
import { named } from "../../../application/modules/username/index.ts"
import * as AuthOf from "../../../application/service/auth.ts"
import { Slug } from "../../../domain/organizations/organization.ts"
import { addressTyped, Email } from "../../../domain/values/text.ts"
import { modules } from "../../everything.ts"
import { entry, target, user } from "../import/records.ts"

// Names that look alike are different names: no character outside of ASCII is read as a letter or digit of ASCII.

const mappings: ReadonlyArray<(character: string) => string> = [
  (character) => character.toLowerCase(),
  (character) => character.toUpperCase(),
  (character) => character.toUpperCase().toLowerCase(),
  (character) => character.normalize("NFKC"),
  (character) => character.normalize("NFKC").toLowerCase(),
  (character) => character.normalize("NFKD"),
  (character) => character.normalize("NFKD").toLowerCase(),
]

/** Every character of Unicode that some mapping of Unicode turns into ASCII, with that ASCII in lower case. */
const lookAlikes = Array.from({ length: 0x11_0000 - 0x80 }, (_, index) => index + 0x80)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .flatMap((character) =>
    [...new Set(mappings.map((mapping) => mapping(character)))]
      .filter((image) => /^[\x21-\x7e]+$/.test(image))
      .map((image) => ({ character, image: image.toLowerCase() })),
  )

/** The look-alikes that are read as their ASCII in a name. */
const mistaken = (nameWith: (part: string) => string, read: (typed: string) => string | null) => {
  expect(read(nameWith("K"))).toBe(nameWith("k"))
  return lookAlikes.flatMap(({ character, image }) => (read(nameWith(character)) === nameWith(image) ? [`${character} as ${image}`] : []))
}

const email = Schema.decodeUnknownOption(Email)
const localPart = (part: string) => `x${part}x@example.com`
const domain = (part: string) => `x@x${part}x.example.com`

/** Everything that reads an address. */
const readers: Readonly<Record<string, (typed: string) => string | null>> = {
  "an address": (typed) => Option.getOrNull(email(typed)),
  "an address that names a user": addressTyped,
  "a provider's profile": (typed) => {
    const profile = profileOf({ sub: "1", email: typed }, { account_id: "sub", email: "email" })
    return Option.getOrNull(Option.map(profile, (known) => known.email))
  },
  "an imported user": (typed) => (admit(entry(user("1", typed)), target).admitted as { readonly email: string } | null)?.email ?? null,
}

/** The members of inputs that are read as addresses: they are trimmed and lowercased. */
const members = Object.values(AuthOf.make(modules).endpoints).flatMap(({ name, input }) =>
  Object.entries((input as { readonly fields?: Readonly<Record<string, Schema.Codec<unknown>>> }).fields ?? {}).map(([member, schema]) => ({
    name,
    member,
    decode: Schema.decodeUnknownOption(schema),
  })),
)
const addresses = members.filter(({ decode }) => Option.contains(decode(" Ada@Example.COM "), "ada@example.com"))

describe("no character is read as one of ASCII", () => {
  it("although many look like one", () => expect(lookAlikes.length).toBeGreaterThan(1000))

  for (const [name, read] of Object.entries(readers)) {
    it(`in the local part of ${name}`, () => expect(mistaken(localPart, read)).toEqual([]))
    it(`in the domain of ${name}`, () => expect(mistaken(domain, read)).toEqual([]))
  }

  it("in any address of any operation", () => {
    expect(addresses.length).toBeGreaterThan(8)
    for (const { name, member, decode } of addresses) {
      const read = (typed: string) => Option.getOrNull(decode(typed)) as string | null
      for (const nameWith of [localPart, domain]) expect(mistaken(nameWith, read), `${name} ${member}`).toEqual([])
    }
  })

  it("and every member that is called an address is read as one, except that of passkeys, which reads it later", () => {
    const others = members.filter((each) => /^(new_)?email$/.test(each.member) && !addresses.includes(each))
    expect(others.map(({ name }) => name)).toEqual(["passkeyAuthenticateOptions"])
  })

  it("in the addresses of administrators", () => {
    const decode = Schema.decodeUnknownOption(admin.settings)
    const read = (typed: string) =>
      Option.getOrNull(Option.map(decode({ admin_emails: [typed] }), ({ admin_emails }) => admin_emails[0] ?? null))
    for (const nameWith of [localPart, domain]) expect(mistaken(nameWith, read)).toEqual([])
  })

  it("in a user name", () =>
    expect(
      mistaken(
        (part) => `x${part}x`,
        (typed) => Option.getOrNull(Option.map(named(typed), ({ username }) => username)),
      ),
    ).toEqual([]))

  it("in the name of an organization in URLs", () => {
    const slug = Schema.decodeUnknownOption(Slug)
    expect(
      mistaken(
        (part) => `x${part}x`,
        (typed) => Option.getOrNull(slug(typed)),
      ),
    ).toEqual([])
  })
})

describe("addresses that earlier versions stored are still found", () => {
  it("by every spelling that they were stored from", () => {
    for (const typed of [
      "ÉVA@example.com",
      "ŐRI@example.com",
      "ΟΔΟΣ@example.com",
      "İ@example.com",
      "ǅ@example.com",
      "STRAẞE@example.com",
      "ſ@example.com",
    ])
      expect(Option.getOrNull(email(typed))).toBe(typed.toLowerCase())
  })
})
