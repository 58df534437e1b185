package dev.zarrreactive.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.threads.Daemons;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Tokens of Microsoft Entra, which the library of Azure gets, on threads that may block. The
 * library is optional.
 *
 * @param kind where they come from
 * @param client the identity, where there are several; null for the default one
 */
record IdentitySource(Kind kind, @Nullable String client) implements CredentialSource {
  private static final String SCOPE = "https://storage.azure.com/.default";

  /** Where the tokens come from. */
  enum Kind {
    /** What the library finds: variables, a workload, a machine, the login of a tool. */
    DEFAULT,
    /** The identity of a machine of Azure. */
    MANAGED,
    /** The identity of a pod of Kubernetes. */
    WORKLOAD
  }

  /** The outcome is a value, so that a look-up that fails after its cancel is told to nobody. */
  @Override
  public Mono<ExpiringCredential> credential() {
    return Mono.fromCallable(this::lookUp)
        .subscribeOn(LookUpThreads.SCHEDULER)
        .flatMap(outcome -> outcome);
  }

  /** Catches the errors of libraries here: Reactor takes them for the end of the JVM. */
  private Mono<ExpiringCredential> lookUp() {
    try {
      return Mono.just(Tokens.of(this));
    } catch (LinkageError e) {
      return Mono.error(unusable(e));
    } catch (StoreException e) {
      return Mono.error(e);
    } catch (RuntimeException e) {
      return Mono.error(IdentityErrors.of(this, e));
    }
  }

  private static UnsupportedFeatureException unusable(LinkageError error) {
    String missing = String.valueOf(error.getMessage());
    return new UnsupportedFeatureException(
        error instanceof NoClassDefFoundError && missing.startsWith("com/azure/")
            ? "tokens of Microsoft Entra need com.azure:azure-identity on the class path; add it,"
                + " or set the option account-key or sas-token"
            : "the libraries that com.azure:azure-identity needs are missing, or of versions that"
                + " do not fit: "
                + missing.lines().findFirst().orElse(""),
        Location.UNKNOWN,
        error);
  }

  @Override
  public String name() {
    return switch (kind) {
      case DEFAULT -> "the library azure-identity";
      case MANAGED -> "the managed identity of this machine";
      case WORKLOAD -> "the workload identity of this pod";
    };
  }

  @Override
  public String advice() {
    return "give that identity the role Storage Blob Data Reader, or Contributor to write";
  }

  /** The name alone. */
  @Override
  public String toString() {
    return name();
  }

  /** What needs the library: a class of its own, which is loaded by the first look-up. */
  private static final class Tokens {
    static ExpiringCredential of(IdentitySource source) {
      AccessToken token =
          credential(source).getTokenSync(new TokenRequestContext().addScopes(SCOPE));
      if (token == null || token.getToken() == null) {
        throw new StoreException("the service answered without a token", Location.UNKNOWN);
      }
      return ExpiringCredential.until(
          token.getExpiresAt().toInstant(), Credential.bearer(token.getToken()));
    }

    private static TokenCredential credential(IdentitySource source) {
      String client = source.client();
      return switch (source.kind()) {
        case MANAGED -> new ManagedIdentityCredentialBuilder().clientId(client).build();
        case WORKLOAD -> new WorkloadIdentityCredentialBuilder().clientId(client).build();
        case DEFAULT -> {
          DefaultAzureCredentialBuilder all = new DefaultAzureCredentialBuilder();
          yield client == null
              ? all.build()
              : all.managedIdentityClientId(client).workloadIdentityClientId(client).build();
        }
      };
    }
  }

  /** Two daemons, which end when they have been idle for ten seconds. */
  private static final class LookUpThreads {
    static final Scheduler SCHEDULER = Daemons.mayBlock(2, "zarr-azure", 10);
  }
}
