// A page with sign-up and sign-out on one origin with the service, and two protected routes.
package main

import (
	"cmp"
	"encoding/json"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
)

var (
	address = cmp.Or(os.Getenv("AUTH_URL"), "http://localhost:3000")
	issuer  = address + "/api/auth"
)

func me(w http.ResponseWriter, _ *http.Request, user User) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(user)
}

func main() {
	target, err := url.Parse(address)
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/api/auth/", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.SetXForwarded()
	}})
	http.HandleFunc("GET /me", require(GetSession, me))
	http.HandleFunc("GET /claims", require(VerifyToken, me))
	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "../page.html") })
	log.Fatal(http.ListenAndServe("localhost:"+cmp.Or(os.Getenv("PORT"), "3706"), nil))
}
