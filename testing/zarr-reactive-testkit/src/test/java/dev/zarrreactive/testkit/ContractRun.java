package dev.zarrreactive.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs a contract in a JVM of its own, as the build of another project does. */
public final class ContractRun {
  private ContractRun() {}

  static class OfMemoryStore extends StoreContract {
    @Override
    protected Store createStore() {
      return MemoryStore.create();
    }
  }

  /** Says whether a test runs: those that list keys and those that cancel are enough. */
  private static FilterResult isOfTheShare(TestDescriptor test) {
    String name = test.getDisplayName();
    return FilterResult.includedIf(
        !test.isTest() || name.contains("list") || name.contains("cancel"));
  }

  /** Prints what became of the tests of {@link OfMemoryStore}. */
  public static void main(String[] arguments) {
    LauncherDiscoveryRequest contract =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(OfMemoryStore.class))
            .filters((PostDiscoveryFilter) ContractRun::isOfTheShare)
            .build();
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create().execute(contract, summary);
    System.out.println(
        summary.getSummary().getTestsFailedCount()
            + " failed, some succeeded: "
            + (summary.getSummary().getTestsSucceededCount() > 0));
    System.exit(0);
  }
}
