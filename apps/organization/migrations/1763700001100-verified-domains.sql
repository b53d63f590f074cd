-- Whether any organization lists a host: asked before a browser on that host may call the participants' API.
CREATE INDEX organizations_verified_domains ON organizations USING gin (verified_domains);
