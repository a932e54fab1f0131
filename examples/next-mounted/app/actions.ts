"use server"

import { cookies, headers } from "next/headers"
import { redirect } from "next/navigation"
import { writeCookies } from "sallyport/backend/next"
import { auth } from "../lib/auth"

// Next.js refuses server actions from other origins. Without the redirect, the page would be rendered with the header fields of the request,
// which lack the new cookies.

export const signUp = async (_: string, form: FormData): Promise<string> => {
  const input = { email: String(form.get("email")), password: String(form.get("password")) }
  const { error, headers: answered } = await auth.call.signUpEmail({ headers: await headers(), input })
  writeCookies(answered, await cookies())
  if (error !== null) return error.message
  redirect("/")
}

export const signOut = async (): Promise<void> => {
  const { headers: answered } = await auth.call.signOut({ headers: await headers() })
  writeCookies(answered, await cookies())
  redirect("/")
}
