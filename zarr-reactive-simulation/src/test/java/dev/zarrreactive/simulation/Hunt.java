package dev.zarrreactive.simulation;

public final class Hunt {
  public static void main(String[] a) {
    long from = Long.parseLong(a[0]), to = Long.parseLong(a[1]);
    int most = Integer.parseInt(a[2]);
    int n = 0;
    for (long seed = from; seed < to && n < most; seed++) {
      Scenario scenario = ScenarioGenerator.of(seed);
      Finding f;
      try {
        f = Simulation.of(scenario).finding();
      } catch (Throwable t) {
        System.out.println(seed + " THROWS " + t);
        n++;
        continue;
      }
      if (f != null && !KnownFault.isOne(scenario, f)) {
        System.out.println(seed + " " + f);
        n++;
      }
    }
    System.out.println("done " + n);
  }
}
