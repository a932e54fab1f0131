import type { StoredSession } from "../../../../domain/sessions/session.ts"

/** The authentication context classes: 1 is a proof by one factor, 2 by several factors (the levels of NIST SP 800-63). */
export const acrValues = ["1", "2"]

/** The classes that a session satisfies, the highest first. */
const satisfied = ({ multi_factor }: StoredSession) => (multi_factor ? ["2", "1"] : ["1"])

/** The class of a session: the first requested one that it satisfies, else its highest. */
export const acrOf = (session: StoredSession, requested: ReadonlyArray<string>): string => {
  const own = satisfied(session)
  return requested.find((each) => own.includes(each)) ?? own[0] ?? "1"
}

/** Whether a session satisfies one of the requested classes. */
export const satisfiesAcr = (session: StoredSession, requested: ReadonlyArray<string>): boolean =>
  satisfied(session).some((each) => requested.includes(each))

/** The methods of the user's last proof, as names of RFC 8176 separated by blanks. Null if none is known. */
export const amrOf = ({ methods, multi_factor }: StoredSession): string | null =>
  [methods, multi_factor ? "mfa" : null].filter((each) => each !== null).join(" ") || null
