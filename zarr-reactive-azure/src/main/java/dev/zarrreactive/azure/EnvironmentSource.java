package dev.zarrreactive.azure;

import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The variables of the tools of Azure. What they hold goes to the account that they name alone.
 *
 * @param account of the store; null where only its server is known
 * @param environment of the process
 */
record EnvironmentSource(@Nullable String account, Map<String, String> environment)
    implements CredentialSource {
  static final String ACCOUNT = "AZURE_STORAGE_ACCOUNT";
  static final String KEY = "AZURE_STORAGE_KEY";
  static final String SIGNATURE = "AZURE_STORAGE_SAS_TOKEN";
  static final String CONNECTION = "AZURE_STORAGE_CONNECTION_STRING";

  private static String text(Map<String, String> environment, String name) {
    return environment.getOrDefault(name, "").strip();
  }

  /** Sets the account, and the server of a connection string, where the variables name them. */
  static void settings(Map<String, String> environment, AzureStoreBuilder builder) {
    String connection = text(environment, CONNECTION);
    String account = text(environment, ACCOUNT);
    if (!connection.isEmpty()) {
      ConnectionString parsed = ConnectionString.parse(connection);
      builder.endpoint(parsed.endpoint());
      account = parsed.account() == null ? "" : parsed.account();
    }
    if (!account.isEmpty()) {
      builder.account(account);
    }
  }

  @Override
  public Mono<ExpiringCredential> credential() {
    return Mono.fromCallable(() -> ExpiringCredential.lasting(find()));
  }

  private Credential find() {
    String connection = text(environment, CONNECTION);
    if (!connection.isEmpty()) {
      ConnectionString parsed = ConnectionString.parse(connection);
      Credential credential = parsed.credential();
      if (credential != null && account != null && account.equals(parsed.account())) {
        return credential;
      }
    }
    if (account != null && account.equals(text(environment, ACCOUNT))) {
      String key = text(environment, KEY);
      if (!key.isEmpty()) {
        return new Credential.AccountKey(account, key);
      }
      String signature = text(environment, SIGNATURE);
      if (!signature.isEmpty()) {
        return new Credential.Query(signature);
      }
    }
    return Credential.anonymous();
  }

  @Override
  public String name() {
    return "the variables AZURE_STORAGE_...";
  }

  @Override
  public String advice() {
    return "set "
        + ACCOUNT
        + " with "
        + KEY
        + " or "
        + SIGNATURE
        + ", or the option account-key, sas-token or credentials";
  }

  /** The name alone. */
  @Override
  public String toString() {
    return name();
  }
}
