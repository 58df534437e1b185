package dev.zarrreactive.gcs;

import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.CredentialSourceProvider;
import java.net.URI;
import java.util.Set;

/**
 * Makes the sources of Google's tokens: {@code google}, the application default credentials; {@code
 * google-file}, a file of a service account, a workload identity or a user, which the setting
 * {@code file} or the variable {@code GOOGLE_APPLICATION_CREDENTIALS} names; {@code
 * google-metadata}, the metadata server of a machine of Google. The class is public for {@link
 * java.util.ServiceLoader} only.
 */
public final class GoogleSourceProvider implements CredentialSourceProvider {
  private static final String DEFAULT = "google";
  private static final String FILE = "google-file";
  private static final String METADATA = "google-metadata";

  private static final String SETTING = "file";

  /** Called by {@link java.util.ServiceLoader}. */
  public GoogleSourceProvider() {}

  @Override
  public Set<String> names() {
    return Set.of(DEFAULT, FILE, METADATA);
  }

  @Override
  public CredentialSource source(String name, URI store, StoreOptions settings) {
    Set<String> known = name.equals(FILE) ? Set.of(SETTING) : Set.of();
    for (String setting : settings.names()) {
      if (!known.contains(setting)) {
        throw new IllegalArgumentException(
            "the source of credentials "
                + name
                + " has no setting "
                + setting
                + (known.isEmpty() ? "" : "; it has " + SETTING));
      }
    }
    String file = settings.names().contains(SETTING) ? settings.text(SETTING) : null;
    return new GoogleSource(
        switch (name) {
          case DEFAULT -> GoogleSource.Kind.DEFAULT;
          case FILE -> GoogleSource.Kind.FILE;
          default -> GoogleSource.Kind.METADATA;
        },
        file,
        System.getenv(),
        GoogleSource.HTTP);
  }
}
