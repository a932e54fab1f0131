import type { Attribute, Attributes } from "../../domain/attributes/attributes.ts"
import { isEmpty, jsonOf, truths } from "./values.ts"

/** An attribute of a record, and the name that it has there. */
interface Found {
  readonly member: string
  readonly name: string
  readonly value: unknown
}

/** The declared attributes among these members. `homeTown` is the attribute `home_town`. */
export const attributesAmong = (declared: Attributes, members: Readonly<Record<string, unknown>>): ReadonlyArray<Found> => {
  const present = Object.keys(members).filter((member) => !isEmpty(members[member]))
  return declared.flatMap((attribute): ReadonlyArray<Found> => {
    const member = present.find((each) => nameOf(each) === attribute.name)
    return member === undefined ? [] : [{ member, name: attribute.name, value: valueOf(attribute, members[member]) }]
  })
}

const nameOf = (member: string) =>
  member
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase()

/** The first reading that the schema accepts: Keycloak has lists of texts, and a CSV file has texts. Otherwise the value, which is refused. */
const valueOf = (attribute: Attribute, value: unknown): unknown => {
  const list = [value].flat()
  const parsed = list.map(jsonOf)
  const single = list.length === 1 ? [list[0], parsed[0], truths.get(list[0])] : []
  return [value, ...single, list, parsed].find(attribute.isValid) ?? value
}
