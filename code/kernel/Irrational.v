(* No sine of a nonzero fraction is zero, so pi is irrational.

   Hermite's idea in Cartwright's form: J 0 = sin x, J 1 = sin x - x cos x, J (n+2) = (2n+3) J (n+1) - x^2 J n.
   Then J (n+1) has the derivative x J n, so |J n x| <= (x^2/2)^n / n! for x >= 0. If the sine of a/b were zero,
   b^n J n (a/b) would be whole numbers that become smaller than one, hence zero, and the recurrence, run backward,
   would give b J 1 (a/b) = -+a = 0. Neither an integral nor pi occurs. *)
Require Import Reals Lra Lia ZArith.
Open Scope R_scope.

(* ---- 1. sin m <> 0 for every integer m <> 0 (Hermite's sequence) ---- *)
Section Hermite.
Variable J : nat -> R -> R.
Hypothesis J0 : forall x, J 0 x = sin x.
Hypothesis J1 : forall x, J 1 x = sin x - x * cos x.
Hypothesis JS : forall n x, J (S (S n)) x = (2 * INR n + 3) * J (S n) x - x * x * J n x.

(* the derivative of J (n+1) is x J n *)
Lemma JD : forall n x,
  derivable_pt_lim (J (S n)) x (x * J n x) /\
  derivable_pt_lim (J (S (S n))) x (x * J (S n) x).
Proof.
  assert (D1 : forall x, derivable_pt_lim (J 1) x (x * J 0 x)).
  { intro x.
    apply (derivable_pt_lim_ext (fun y => sin y - y * cos y)); [intro z; exact (eq_sym (J1 z))|].
    replace (x * J 0 x) with (cos x - (1 * cos x + x * - sin x)) by (rewrite J0; ring).
    apply (derivable_pt_lim_minus sin (fun y => y * cos y)); [apply derivable_pt_lim_sin|].
    apply (derivable_pt_lim_mult id cos); [apply derivable_pt_lim_id | apply derivable_pt_lim_cos]. }
  assert (step : forall n x a b,
     derivable_pt_lim (J n) x a -> derivable_pt_lim (J (S n)) x b ->
     derivable_pt_lim (J (S (S n))) x
       ((2 * INR n + 3) * b - ((1 * x + x * 1) * J n x + x * x * a))).
  { intros n x a b Ha Hb.
    apply (derivable_pt_lim_ext (fun y => (2 * INR n + 3) * J (S n) y - (y * y) * J n y));
      [intro z; exact (eq_sym (JS n z))|].
    apply (derivable_pt_lim_minus (fun y => (2 * INR n + 3) * J (S n) y) (fun y => (y * y) * J n y)).
    - apply (derivable_pt_lim_scal (J (S n))); exact Hb.
    - apply (derivable_pt_lim_mult (fun y => y * y) (J n)); [|exact Ha].
      apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id. }
  induction n; intro x.
  - split; [apply D1|].
    assert (D0 : derivable_pt_lim (J 0) x (cos x))
      by (apply (derivable_pt_lim_ext sin); [intro z; exact (eq_sym (J0 z)) | apply derivable_pt_lim_sin]).
    replace (x * J 1 x) with ((2 * INR 0 + 3) * (x * J 0 x) - ((1 * x + x * 1) * J 0 x + x * x * cos x))
      by (rewrite J0, J1; simpl; ring).
    apply step; [exact D0 | apply D1].
  - destruct (IHn x) as [Ha Hb]; split; [exact Hb|].
    replace (x * J (S (S n)) x)
      with ((2 * INR (S n) + 3) * (x * J (S n) x) - ((1 * x + x * 1) * J (S n) x + x * x * (x * J n x)))
      by (rewrite JS, S_INR; ring).
    apply step; assumption.
Qed.

(* a function that starts at 0 and does not fall is not negative *)
Lemma rises (f f' : R -> R) (x : R) :
  0 <= x -> f 0 = 0 ->
  (forall c, derivable_pt_lim f c (f' c)) -> (forall c, 0 <= c -> 0 <= f' c) -> 0 <= f x.
Proof.
  intros [H | <-] H0 D P; [|lra].
  destruct (MVT_cor2 f f' 0 x H (fun c _ => D c)) as [c [E [C1 C2]]].
  assert (0 <= f' c) by (apply P; lra). rewrite H0 in E.
  assert (0 <= f' c * (x - 0)) by (apply Rmult_le_pos; lra). lra.
Qed.

Definition B (n : nat) (x : R) := (x * x / 2) ^ n / INR (fact n).

Lemma BD n x : derivable_pt_lim (B (S n)) x (x * B n x).
Proof.
  unfold B.
  replace (x * ((x * x / 2) ^ n / INR (fact n)))
    with (/ INR (fact (S n)) * ((INR (S n) * (x * x / 2) ^ n) * (/ 2 * (1 * x + x * 1)))).
  - apply (derivable_pt_lim_ext (fun y => / INR (fact (S n)) * (x * 0 + (y * y / 2) ^ S n)));
      [intro; field; apply INR_fact_neq_0|].
    apply (derivable_pt_lim_scal (fun y => x * 0 + (y * y / 2) ^ S n)).
    apply (derivable_pt_lim_ext (comp (fun z => z ^ S n) (fun y => / 2 * (y * y))));
      [intro z; unfold comp; replace (/ 2 * (z * z)) with (z * z / 2) by field; ring|].
    apply (derivable_pt_lim_comp (fun y => / 2 * (y * y)) (fun z => z ^ S n)).
    + apply (derivable_pt_lim_scal (fun y => y * y)).
      apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
    + replace (x * x / 2) with (/ 2 * (x * x)) by field.
      apply (derivable_pt_lim_pow (/ 2 * (x * x)) (S n)).
  - rewrite fact_simpl, mult_INR. field. split; [apply INR_fact_neq_0 | apply not_0_INR; lia].
Qed.

Lemma J_at_0 n : J n 0 = 0 /\ J (S n) 0 = 0.
Proof.
  induction n; [rewrite J0, J1, sin_0; lra|].
  destruct IHn; split; [assumption|]. rewrite JS; rewrite H, H0; ring.
Qed.
Lemma B_at_0 n : B (S n) 0 = 0.
Proof. unfold B. replace (0 * 0 / 2) with 0 by field. simpl. unfold Rdiv; ring. Qed.

Lemma bound : forall n x, 0 <= x -> - B n x <= J n x <= B n x.
Proof.
  induction n; intros x Hx.
  - rewrite J0. unfold B; simpl. generalize (SIN_bound x); lra.
  - assert (0 <= B (S n) x - J (S n) x).
    { apply (rises (fun y => B (S n) y - J (S n) y) (fun y => y * B n y - y * J n y)); auto.
      - rewrite B_at_0, (proj2 (J_at_0 n)); ring.
      - intro c. apply (derivable_pt_lim_minus (B (S n)) (J (S n))); [apply BD | apply JD].
      - intros c Hc. replace (c * B n c - c * J n c) with (c * (B n c - J n c)) by ring.
        apply Rmult_le_pos; [assumption|]. generalize (IHn c Hc); lra. }
    assert (0 <= B (S n) x + J (S n) x).
    { apply (rises (fun y => B (S n) y + J (S n) y) (fun y => y * B n y + y * J n y)); auto.
      - rewrite B_at_0, (proj2 (J_at_0 n)); ring.
      - intro c. apply (derivable_pt_lim_plus (B (S n)) (J (S n))); [apply BD | apply JD].
      - intros c Hc. replace (c * B n c + c * J n c) with (c * (B n c + J n c)) by ring.
        apply Rmult_le_pos; [assumption|]. generalize (IHn c Hc); lra. }
    lra.
Qed.

(* at a fraction a/b where the sine is zero, b^n J n is an integer *)
Variables a b : Z.
Hypotheses (Ha : (0 < a)%Z) (Hb : (0 < b)%Z).
Let x := IZR a / IZR b.
Hypothesis S0 : sin x = 0.
Let b0 : 0 < IZR b. Proof. now apply IZR_lt. Qed.
Let x0 : 0 < x. Proof. apply Rdiv_lt_0_compat; [now apply IZR_lt | exact b0]. Qed.

Lemma whole : forall n, (exists u, IZR b ^ n * J n x = IZR u) /\
                        (exists v, IZR b ^ S n * J (S n) x = IZR v).
Proof.
  assert (C : cos x = 1 \/ cos x = -1).
  { generalize (sin2_cos2 x); unfold Rsqr; rewrite S0; intro H.
    assert (E : (cos x - 1) * (cos x + 1) = 0) by lra.
    apply Rmult_integral in E; lra. }
  induction n.
  - split; [exists 0%Z; rewrite J0, S0; ring|]. rewrite J1, S0; unfold x in *; simpl.
    destruct C as [-> | ->]; [exists (- a)%Z; rewrite opp_IZR | exists a]; field; lra.
  - destruct IHn as [[u Hu] [v Hv]]; split; [now exists v|].
    exists ((2 * Z.of_nat n + 3) * b * v - a * a * u)%Z.
    rewrite JS, minus_IZR, !mult_IZR, plus_IZR, mult_IZR, <- INR_IZR_INZ, <- Hv, <- Hu.
    unfold x; simpl; field; lra.
Qed.

Lemma fraction_contradiction : False.
Proof.
  destruct (cv_speed_pow_fact (IZR b * (x * x / 2)) 1 Rlt_0_1) as [N HN].
  assert (Z0 : forall n, (n >= N)%nat -> J n x = 0).
  { intros n Hn. specialize (HN n Hn). unfold R_dist in HN.
    rewrite Rminus_0_r in HN. apply Rabs_def2 in HN.
    destruct (whole n) as [[u Hu] _].
    assert (P : 0 < IZR b ^ n) by (apply pow_lt; exact b0).
    generalize (bound n x (Rlt_le _ _ x0)); unfold B; intros [L U].
    rewrite Rpow_mult_distr in HN. unfold Rdiv in HN; rewrite Rmult_assoc in HN.
    apply (Rmult_le_compat_l (IZR b ^ n)) in L; [|lra].
    apply (Rmult_le_compat_l (IZR b ^ n)) in U; [|lra].
    unfold Rdiv in L, U. rewrite Hu in *. rewrite Ropp_mult_distr_r_reverse in L.
    assert (u < 1)%Z by (apply lt_IZR; lra). assert (-1 < u)%Z by (apply lt_IZR; lra).
    assert (u = 0)%Z by lia. subst u. apply Rmult_integral in Hu; lra. }
  assert (down : forall k, (k <= N)%nat -> J (N - k) x = 0 /\ J (S (N - k)) x = 0).
  { induction k; intros Hk.
    - rewrite Nat.sub_0_r. split; apply Z0; lia.
    - destruct IHk as [A A']; [lia|].
      replace (N - k)%nat with (S (N - S k)) in * by lia. split; [|assumption].
      generalize (JS (N - S k) x); rewrite A, A'; intro E.
      assert (x * x * J (N - S k) x = 0) by lra.
      apply Rmult_integral in H as [H|H]; [apply Rmult_integral in H; generalize x0; lra | assumption]. }
  destruct (down N) as [_ E]; [lia|]. rewrite Nat.sub_diag, J1, S0 in E.
  assert (E2 : x * cos x = 0) by lra. apply Rmult_integral in E2 as [E2|E2]; [generalize x0; lra|].
  generalize (sin2_cos2 x); unfold Rsqr; rewrite S0, E2; lra.
Qed.
End Hermite.

Fixpoint JJ (n : nat) (x : R) : R * R :=   (* the pair (J n x, J (n+1) x) *)
  match n with
  | O => (sin x, sin x - x * cos x)
  | S n => let (a, b) := JJ n x in (b, (2 * INR n + 3) * b - x * x * a)
  end.
(* the sine of a positive fraction is not zero *)
Theorem sin_fraction (a b : Z) : (0 < a)%Z -> (0 < b)%Z -> sin (IZR a / IZR b) <> 0.
Proof.
  intros Ha Hb S0.
  apply (fraction_contradiction (fun n x => fst (JJ n x))) with (a := a) (b := b); try assumption; intros; try reflexivity.
  simpl; destruct (JJ n x); reflexivity.
Qed.

Theorem pi_is_irrational (a b : Z) : (0 < b)%Z -> PI <> IZR a / IZR b.
Proof.
  intros Hb E. assert (0 < a)%Z.
  { apply lt_IZR. generalize PI_RGT_0; rewrite E; intro P.
    assert (0 < IZR b) by now apply IZR_lt.
    replace (IZR a) with (IZR a / IZR b * IZR b) by (field; lra). now apply Rmult_lt_0_compat. }
  apply (sin_fraction a b); auto. rewrite <- E. apply sin_PI.
Qed.

Theorem sin_whole (m : Z) : m <> 0%Z -> sin (IZR m) <> 0.
Proof.
  intros Hm E. destruct (Z.lt_total m 0) as [H | [H | H]]; [| contradiction |].
  - apply (sin_fraction (- m) 1); [lia | lia |]. unfold Rdiv; rewrite opp_IZR, Rinv_1, Rmult_1_r, sin_neg, E; ring.
  - apply (sin_fraction m 1); [lia | lia |]. unfold Rdiv; rewrite Rinv_1, Rmult_1_r; exact E.
Qed.

