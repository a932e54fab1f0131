import { defineConfig } from "sallyport"

// The environment adds the secret, the public URL and the database: SALLYPORT_SECRET, SALLYPORT_PUBLIC_URL, SALLYPORT_DATABASE_URL.
export default defineConfig({
  environment: "fill",
  email_password: { enabled: true },
  pages: { path: "/auth" },
  modules: {
    passkey: {},
  },
})
