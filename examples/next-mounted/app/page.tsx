import { headers } from "next/headers"
import { serverSession } from "sallyport/backend/next"
import { auth } from "../lib/auth"
import { signOut } from "./actions"
import { SignUp } from "./sign-up"

const Page = async () => {
  const session = await serverSession(auth, await headers())
  if (session === null) return <SignUp />
  return (
    <form action={signOut}>
      <p>Signed in as {session.user.email}</p>
      <a href="/auth/account">Account</a>
      <button type="submit">Sign out</button>
    </form>
  )
}
export default Page
