package dev.zarrreactive.webflux.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code zarr.links.*} of a service. {@code toString} shows no secret.
 *
 * @param keys the keys of signed links, as {@link dev.zarrreactive.credentials.LinkKeys#of} reads
 *     them
 * @param keyFile the path of a file with the keys
 * @param values the path below which the values of the store are open to signed links
 */
@ConfigurationProperties("zarr.links")
public record ZarrLinkProperties(
    @Nullable String keys, @Nullable String keyFile, @DefaultValue("/zarr") String values) {
  @Override
  public String toString() {
    return "zarr.links.key-file=" + keyFile + ", zarr.links.values=" + values;
  }
}
