"""Rule data: the specification's tables and choices as YAML, one file a topic, with `schema.json` over all of them."""
