//! Search for the vertices that lie on an edge.

use glam::Vec3;

/// Distance below which a vertex lies on an edge, Quake units.
const ON_EDGE: f32 = 1.0 / 32.0;

/// Maximum number of vertices of a leaf.
const LEAF: usize = 8;

/// k-d tree of vertices: the search takes time for what is near an edge, not for what is in its bounding box.
pub(super) struct VertexTree<'v> {
    vertices: &'v [Vec3],
    indexes: Vec<u32>,
    /// Bounds of each node: the root is node 0, the halves of node n are nodes 2n + 1 and 2n + 2.
    bounds: Vec<[Vec3; 2]>,
}

impl<'v> VertexTree<'v> {
    /// Creates the tree of the vertices with these indexes.
    pub fn new(indexes: impl Iterator<Item = u32>, vertices: &'v [Vec3]) -> Self {
        let mut indexes: Vec<u32> = indexes.collect();
        indexes.sort_unstable();
        indexes.dedup();
        let mut tree = Self { vertices, indexes: Vec::new(), bounds: Vec::new() };
        tree.sort(0, &mut indexes);
        tree.indexes = indexes;
        tree
    }

    /// Partitions the vertices of a node into its halves.
    fn sort(&mut self, node: usize, indexes: &mut [u32]) {
        let [mut mins, mut maxs] = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        for &index in &*indexes {
            let place = self.place(index);
            (mins, maxs) = (mins.min(place), maxs.max(place));
        }
        if self.bounds.len() <= node {
            self.bounds.resize(node + 1, [Vec3::INFINITY, Vec3::NEG_INFINITY]);
        }
        self.bounds[node] = [mins, maxs];
        if indexes.len() <= LEAF {
            return;
        }
        let axis = (maxs - mins).max_position();
        let middle = indexes.len() / 2;
        indexes.select_nth_unstable_by(middle, |&a, &b| self.place(a)[axis].total_cmp(&self.place(b)[axis]));
        let (low, high) = indexes.split_at_mut(middle);
        self.sort(2 * node + 1, low);
        self.sort(2 * node + 2, high);
    }

    /// Returns the vertices inside an edge, in order, and the number of visited nodes and vertices.
    pub fn on_edge(&self, [from, to]: [u32; 2]) -> (Vec<u32>, u64) {
        let [a, b] = [from, to].map(|index| self.place(index));
        let along = b - a;
        let length = along.length();
        let near = Near { a, along, margin: 2.0 * ON_EDGE + 1e-6 * length };
        let (mut found, mut work) = (Vec::new(), 0);
        let mut open = vec![(0, self.indexes.as_slice())];
        while let Some((node, indexes)) = open.pop() {
            work += 1;
            if !self.bounds.get(node).is_some_and(|&bounds| near.meets(bounds)) {
                continue;
            }
            if indexes.len() > LEAF {
                let (low, high) = indexes.split_at(indexes.len() / 2);
                open.extend([(2 * node + 1, low), (2 * node + 2, high)]);
                continue;
            }
            work += indexes.len() as u64;
            found.extend(indexes.iter().filter_map(|&index| {
                let offset = self.place(index) - a;
                let t = offset.dot(along) / length;
                let inside = index != from && index != to && t > ON_EDGE && t < length - ON_EDGE;
                (inside && (offset - along * (t / length)).length() <= ON_EDGE).then_some((t, index))
            }));
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        (found.into_iter().map(|(_, index)| index).collect(), work)
    }

    fn place(&self, index: u32) -> Vec3 {
        debug_assert!((index as usize) < self.vertices.len(), "corners are vertices");
        self.vertices.get(index as usize).copied().unwrap_or_default()
    }
}

/// Neighbourhood of an edge.
struct Near {
    a: Vec3,
    along: Vec3,
    /// Margin of the search, larger than [`ON_EDGE`] because of rounding.
    margin: f32,
}

impl Near {
    /// Returns `true` if the edge meets a box that is enlarged by the margin.
    fn meets(&self, [mins, maxs]: [Vec3; 2]) -> bool {
        let [mut enter, mut leave] = [0.0f32, 1.0f32];
        for axis in 0..3 {
            let [low, high] = [mins[axis] - self.margin - self.a[axis], maxs[axis] + self.margin - self.a[axis]];
            if low > high {
                return false;
            }
            let slope = self.along[axis];
            if slope == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return false;
                }
            } else {
                let [s, t] = [low / slope, high / slope];
                enter = enter.max(s.min(t));
                leave = leave.min(s.max(t));
            }
        }
        enter <= leave
    }
}
