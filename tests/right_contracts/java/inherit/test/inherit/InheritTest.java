package inherit;

import static org.assertj.core.api.Assertions.*;

import org.junit.jupiter.api.Test;

class InheritTest {
    @Test void squares() {
        Square s = new Square(3);
        assertThat(s.area()).isEqualTo(9);
        Shape t = s.scaled(2);
        assertThat(t.area()).isEqualTo(36);
        assertThat(new Square(0).area()).isZero();
    }

    @Test void counters() {
        Counter c = new Counter.One();
        c.step();
        c.step();
        assertThat(c.n()).isEqualTo(2);
        Counter d = new Counter.By(5);
        d.step();
        assertThat(d.n()).isEqualTo(5);
        d.step();
        assertThat(d.n()).isEqualTo(10);
    }
}
