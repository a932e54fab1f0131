import { createFileRoute } from "@tanstack/react-router"
import { createServerFn } from "@tanstack/react-start"
import { getRequest, getRequestIP } from "@tanstack/react-start/server"
import { auth } from "../auth"

const readEmail = createServerFn().handler(async () => {
  const verdict = await auth.getSession(getRequest(), { address: getRequestIP() ?? null, extend: false })
  if (verdict.status === "unavailable") throw new Error("Try again in a minute.")
  return verdict.status === "authenticated" ? verdict.user.email : null
})

const Page = () => {
  const email = Route.useLoaderData()
  if (email === null) return <a href="/auth/sign-in">Sign in</a>
  return (
    <form method="post" action="/sign-out">
      <p>Signed in as {email}</p>
      <button type="submit">Sign out</button>
    </form>
  )
}

export const Route = createFileRoute("/")({ loader: () => readEmail(), component: Page })
