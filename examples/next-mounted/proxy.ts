import { type NextRequest, NextResponse } from "next/server"
import { auth } from "./lib/auth"

/** Extends the session at each visit, which a server component cannot do. It guards nothing: each page and route checks the session. */
export const proxy = async (request: NextRequest) => {
  const verdict = await auth.getSession(request)
  const response = NextResponse.next()
  if (verdict.status !== "unavailable") for (const [name, value] of verdict.headers) response.headers.append(name, value)
  return response
}

export const config = { matcher: "/((?!api/|auth/|_next/|.*\\.).*)" }
