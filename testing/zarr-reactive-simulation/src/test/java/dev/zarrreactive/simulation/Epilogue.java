package dev.zarrreactive.simulation;

import dev.zarrreactive.simulation.PlannedOperation.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The operations after those of a scenario, one after the other and without faults: whatever was
 * lost on the way, such as a permit or the lock of a key, they would wait for it for ever.
 */
final class Epilogue {
  static final int FIRST_ID = 500;

  private Epilogue() {}

  static List<PlannedOperation> of(Scenario scenario) {
    List<PlannedOperation> operations = new ArrayList<>();
    if (scenario.stack().kind() == StoreKind.COMMITS) {
      Kind between = scenario.has(Kind.CLEAN) ? Kind.CLEAN : Kind.COMMIT;
      for (Kind kind : List.of(Kind.LOOK, Kind.COMMIT, between, Kind.LOOK)) {
        add(operations, kind, 0, 0, Box.all(scenario.arrays().get(0).shape()));
      }
      return operations;
    }
    for (int array = 0; array < scenario.arrays().size(); array++) {
      Box all = Box.all(scenario.arrays().get(array).shape());
      int hierarchies = scenario.hierarchies().size();
      for (int h = 0; h < hierarchies; h++) {
        add(operations, Kind.READ, h, array, all);
      }
      if (!scenario.stack().kind().isRead()) {
        add(operations, Kind.WRITE, 0, array, all);
      }
      add(operations, Kind.READ, hierarchies - 1, array, all);
    }
    if (scenario.has(Kind.APPEND)) {
      add(operations, Kind.APPEND, 0, 0, Box.all(scenario.arrays().get(0).shape()));
    }
    return operations;
  }

  private static void add(
      List<PlannedOperation> operations, Kind kind, int hierarchy, int array, Box box) {
    int id = FIRST_ID + operations.size();
    operations.add(new PlannedOperation(id, kind, 0, hierarchy, array, box, Pace.FAST, -1));
  }
}
