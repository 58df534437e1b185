/** Single-flight requests, shared resources and the shield of attempts in flight. */
@NullMarked
package dev.zarrreactive.internal.sharing;

import org.jspecify.annotations.NullMarked;
