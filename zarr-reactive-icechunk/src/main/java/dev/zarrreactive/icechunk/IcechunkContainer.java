package dev.zarrreactive.icechunk;

import dev.zarrreactive.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A place outside of a repository in which its virtual chunks may lie, as the repository says it.
 * Only the reader allows it: {@link IcechunkOptions#withContainers}.
 *
 * @param urlPrefix where it begins, such as {@code s3://bucket/path/}
 * @param name its name in locations {@code vcc://NAME/rest}; null where it has none
 * @param store the kind of its store with settings, such as the region, as the repository says it
 */
public record IcechunkContainer(String urlPrefix, @Nullable String name, JsonObject store) {}
