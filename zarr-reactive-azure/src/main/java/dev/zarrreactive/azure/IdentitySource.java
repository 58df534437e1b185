package dev.zarrreactive.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
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

  @Override
  public Mono<ExpiringCredential> credential() {
    return Mono.defer(this::asked).subscribeOn(LookUpThreads.SCHEDULER);
  }

  /** Catches the error of a missing library here: Reactor takes it for the end of the JVM. */
  private Mono<ExpiringCredential> asked() {
    try {
      return Tokens.of(this);
    } catch (NoClassDefFoundError e) {
      return Mono.error(missing(e));
    }
  }

  private static UnsupportedFeatureException missing(Throwable error) {
    return new UnsupportedFeatureException(
        "tokens of Microsoft Entra need com.azure:azure-identity on the class path; add it, or set"
            + " the option account-key or sas-token",
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
    static Mono<ExpiringCredential> of(IdentitySource source) {
      TokenCredential credential = credential(source);
      return credential
          .getToken(new TokenRequestContext().addScopes(SCOPE))
          .map(Tokens::given)
          .onErrorMap(
              e -> !(e instanceof Error) && !(e instanceof java.io.IOException),
              e -> new AccessDeniedException(firstLine(e), Location.UNKNOWN, e));
    }

    private static ExpiringCredential given(AccessToken token) {
      return ExpiringCredential.until(
          token.getExpiresAt().toInstant(), Credential.bearer(token.getToken()));
    }

    /** Returns the first line: the others say where to read more. */
    private static String firstLine(Throwable error) {
      return String.valueOf(error.getMessage()).lines().findFirst().orElse("");
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
