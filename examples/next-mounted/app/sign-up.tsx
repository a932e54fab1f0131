"use client"

import { useActionState } from "react"
import { signUp } from "./actions"

export const SignUp = () => {
  const [message, act] = useActionState(signUp, "")
  return (
    <form action={act}>
      <input name="email" type="email" placeholder="Email" required />
      <input name="password" type="password" placeholder="Password" required />
      <button type="submit">Sign up</button>
      {/* eslint-disable-next-line @next/next/no-html-link-for-pages -- a page of the service, which <Link> cannot load */}
      <a href="/auth/sign-in?return_to=/">Sign in</a>
      <p role="alert">{message}</p>
    </form>
  )
}
