package dev.zarrreactive.azure;

import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.CredentialSourceProvider;
import java.net.URI;
import java.util.Set;

/**
 * Makes the sources of tokens of Microsoft Entra, which {@code com.azure:azure-identity} gets:
 * {@code azure}, what its {@code DefaultAzureCredential} finds; {@code azure-managed-identity}, the
 * identity of a machine of Azure; {@code azure-workload-identity}, that of a pod of Kubernetes. The
 * setting {@code client-id} chooses one of several identities. The class is public for {@link
 * java.util.ServiceLoader} only.
 */
public final class AzureSourceProvider implements CredentialSourceProvider {
  private static final String SETTING = "client-id";

  /** Called by {@link java.util.ServiceLoader}. */
  public AzureSourceProvider() {}

  @Override
  public Set<String> names() {
    return Set.of("azure", "azure-managed-identity", "azure-workload-identity");
  }

  @Override
  public CredentialSource source(String name, URI store, StoreOptions settings) {
    for (String setting : settings.names()) {
      if (!setting.equals(SETTING)) {
        throw new IllegalArgumentException(
            "the source of credentials "
                + name
                + " has no setting "
                + setting
                + "; it has "
                + SETTING);
      }
    }
    String client = settings.names().contains(SETTING) ? settings.text(SETTING) : null;
    return new IdentitySource(
        switch (name) {
          case "azure-managed-identity" -> IdentitySource.Kind.MANAGED;
          case "azure-workload-identity" -> IdentitySource.Kind.WORKLOAD;
          default -> IdentitySource.Kind.DEFAULT;
        },
        client);
  }
}
