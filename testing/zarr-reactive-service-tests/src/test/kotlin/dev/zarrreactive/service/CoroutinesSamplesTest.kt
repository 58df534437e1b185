package dev.zarrreactive.service

import dev.zarrreactive.Zarr
import dev.zarrreactive.array.selection.Selection
import dev.zarrreactive.store.Store
import dev.zarrreactive.testing.Waiting.eventually
import dev.zarrreactive.testkit.InstrumentedStore
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** The sample of docs/kotlin.md. */
class CoroutinesSamplesTest {
    // docs: coroutines
    private suspend fun highest(store: Store): Float {
        val relief = Zarr.hierarchy(store).openArray("earth/relief").awaitSingle()
        var highest = Float.NEGATIVE_INFINITY
        relief.chunksInOrder(Selection.all()).asFlow().collect { chunk ->
            highest = maxOf(highest, chunk.data().toFloatArray().max())
        }
        return highest
    }
    // docs: end

    @Test
    fun chunks_are_collected_as_a_flow() {
        val found = runBlocking { highest(Earth.store()) }
        val all = Zarr.hierarchy(Earth.store()).openArray("earth/relief").flatMap { it.read() }.block()!!
        assertThat(found).isEqualTo(all.toFloatArray().max())
    }

    @Test
    fun a_cancelled_coroutine_cancels_its_requests() {
        val store = InstrumentedStore.of(Earth.store())
        runBlocking {
            val held = store.hold { it.target().startsWith("earth/relief/c/") }
            val job = launch(Dispatchers.Default) { highest(store) }
            eventually("the store is asked") { held.waiting() > 0 }
            job.cancelAndJoin()
            eventually("the requests are cancelled") { store.counts().inFlight() == 0 }
        }
    }
}
