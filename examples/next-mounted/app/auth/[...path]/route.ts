import { mount } from "sallyport/backend/next"
import { auth } from "../../../lib/auth"

// The pages of the service: sign-in, account, and those of the links in its mails.
export const { GET, HEAD, POST } = mount(auth)
