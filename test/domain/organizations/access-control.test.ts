import { describe, expect, it } from "vitest"
import {
  type AccessControl,
  faults,
  isDefined,
  mayChange,
  mayGrant,
  mayRemove,
  permits,
  standard,
} from "../../../domain/organizations/access-control.ts"

const roles = ["member", "admin", "owner", "gone"] as const

/** For each role of the caller, the roles for which the check passes. */
const yes = (rule: (access: AccessControl, own: string, role: string) => boolean) =>
  Object.fromEntries(roles.map((own) => [own, roles.filter((role) => rule(standard, own, role)).join(" ")]))

describe("rank", () => {
  it("refuses to grant a role above the member's own", () => {
    expect(yes(mayGrant)).toEqual({ member: "member gone", admin: "member admin gone", owner: "member admin owner gone", gone: "gone" })
  })

  it("refuses to change members of a higher rank", () => {
    expect(yes(mayChange)).toEqual({ member: "member gone", admin: "member admin gone", owner: "member admin owner gone", gone: "gone" })
  })

  it("refuses to remove members of the same rank", () => {
    expect(yes(mayRemove)).toEqual({ member: "gone", admin: "member gone", owner: "member admin gone", gone: "" })
  })
})

describe("permissions", () => {
  const everything = {
    organization: ["update", "delete"],
    member: ["create", "update", "delete"],
    invitation: ["create", "cancel"],
    team: ["create", "update", "delete"],
  }
  const { organization: _, ...teamwork } = everything

  it("are the specified ones", () => {
    const granted = (role: string) =>
      Object.entries({ ...everything, other: ["act"] }).flatMap(([resource, actions]) =>
        actions.filter((action) => permits(standard, role, { [resource]: [action] })).map((action) => `${resource}:${action}`),
      )
    const all = (permissions: Record<string, ReadonlyArray<string>>) =>
      Object.entries(permissions).flatMap(([resource, actions]) => actions.map((action) => `${resource}:${action}`))
    expect(granted("owner")).toEqual(all(everything))
    expect(granted("admin")).toEqual(all(teamwork))
    for (const role of ["member", "gone", "", "constructor", "__proto__"]) expect(granted(role)).toEqual([])
  })

  it("must all be granted", () => {
    expect(permits(standard, "owner", everything)).toBe(true)
    expect(permits(standard, "admin", everything)).toBe(false)
    expect(permits(standard, "admin", teamwork)).toBe(true)
    expect(permits(standard, "admin", { team: ["create", "paint"] })).toBe(false)
    expect(permits(standard, "admin", { team: ["create"], cellar: ["enter"] })).toBe(false)
  })

  it("are granted to every role if none are required", () => {
    for (const role of ["owner", "member", "gone"]) {
      expect(permits(standard, role, {})).toBe(true)
      expect(permits(standard, role, { team: [], cellar: [] })).toBe(true)
    }
  })

  it("are not inherited members of objects", () => {
    for (const resource of ["constructor", "toString", "__proto__", "hasOwnProperty"])
      expect(permits(standard, "owner", Object.fromEntries([[resource, ["name"]]]))).toBe(false)
    expect(isDefined(standard, "toString")).toBe(false)
    expect(isDefined(standard, "owner")).toBe(true)
  })
})

describe("configured roles", () => {
  const wrong = (changes: Partial<AccessControl>) =>
    faults({ ...standard, ...changes }).map(({ path, wanted }) => `${path.join(".")}: ${wanted}`)
  const defined = (role: string) => `a role that is defined under roles (owner, admin, member), not ${role}`

  it("can be the standard ones, and be outside the hierarchy", () => {
    expect(wrong({})).toEqual([])
    expect(wrong({ hierarchy: ["owner"] })).toEqual([])
    expect(wrong({ roles: { ...standard.roles, billing: { money: ["count"] } }, invite_default: "billing" })).toEqual([])
  })

  it("must be defined if they are named, and be ranked once", () => {
    expect(wrong({ hierarchy: ["member", "boss", "owner", "member"] })).toEqual([
      `hierarchy.1: ${defined("boss")}`,
      "hierarchy.3: each role once",
    ])
    expect(wrong({ invite_default: "guest" })).toEqual([`invite_default: ${defined("guest")}`])
    expect(wrong({ invite_default: "toString" })).toEqual([`invite_default: ${defined("toString")}`])
  })

  it("must rank creator_role", () => {
    expect(wrong({ creator_role: "boss" })).toEqual(["creator_role: a role of the hierarchy (member, admin, owner), not boss"])
    expect(wrong({ hierarchy: ["member", "admin"] })).toEqual(["creator_role: a role of the hierarchy (member, admin), not owner"])
    expect(wrong({ hierarchy: [] })).toEqual(["creator_role: a role of the hierarchy (), not owner"])
  })
})
