import { headers } from "next/headers"
import { serverSession } from "sallyport/backend/next"
import { backend } from "../backend"
import { Account } from "./account"

const Page = async () => {
  const session = await serverSession(backend, await headers())
  return <Account rendered={session ? { status: "authenticated", ...session } : { status: "anonymous" }} />
}
export default Page
