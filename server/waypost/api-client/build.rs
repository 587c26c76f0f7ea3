/// The merged schema. The files in `schema/` use `extend type`, which cynic does not support.
const SCHEMA: &str = "../api/src/generated/schema.graphql";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    cynic_codegen::register_schema("waypost")
        .from_sdl_file(SCHEMA)?
        .as_default()?;
    Ok(())
}
