import { defineConfig } from "sallyport"

// The secret and the database are in the environment: SALLYPORT_SECRET, SALLYPORT_DATABASE_URL, SALLYPORT_PUBLIC_URL.
export default defineConfig({
  environment: "fill",
  email_password: { enabled: true },
  pages: { path: "/auth" },
  modules: { passkey: {}, magic_link: {} },
})
