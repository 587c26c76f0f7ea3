fn main() -> Result<(), Box<dyn std::error::Error>> {
    cynic_codegen::register_schema("music")
        .from_sdl_file("client/schema.graphql")?
        .as_default()?;
    Ok(())
}
