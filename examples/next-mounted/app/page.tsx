import { headers } from "next/headers"
import { connection } from "next/server"
import { Suspense } from "react"
import { serverSession } from "sallyport/backend/next"
import { auth } from "../lib/auth"
import { signOut } from "./actions"
import { SignUp } from "./sign-up"

const Account = async () => {
  await connection()
  const session = await serverSession(auth, await headers())
  if (session === null) return <SignUp />
  return (
    <form action={signOut}>
      <p>Signed in as {session.user.email}</p>
      {/* eslint-disable-next-line @next/next/no-html-link-for-pages -- a page of the service, which <Link> cannot load */}
      <a href="/auth/account">Account</a>
      <button type="submit">Sign out</button>
    </form>
  )
}

const Page = () => (
  <Suspense>
    <Account />
  </Suspense>
)
export default Page
